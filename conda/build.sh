#!/usr/bin/env bash
# Without the wrapper methods, as the wheel. conda sets CMAKE_ARGS, PREFIX, SRC_DIR and PYTHON.
set -euo pipefail
export CMAKE_ARGS="${CMAKE_ARGS:-} -DSPICYMKL_BASELINES=OFF \
  -DSPICYMKL_CHART_JS=$SRC_DIR/chart.js/dist/chart.min.js \
  -DOpenBLASOpenMP_LIBRARY=$PREFIX/lib/libopenblas.so -DOpenBLASOpenMP_INCLUDE_DIR=$PREFIX/include"
"$PYTHON" -m pip install . -vv --no-deps --no-build-isolation
