#!/usr/bin/env bash
# The libraries and headers that ./dev gpu builds with, beside CUDA, in build-gpu/libraries.tar.xz: for a machine with a
# GPU, compilers and CMake where nothing can be installed. Debian and Ubuntu.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
packages=(libeigen3-dev libfmt-dev libfmt9 nlohmann-json3-dev libcli11-dev libfast-float-dev zlib1g-dev zlib1g
          libgtest-dev libjs-chart.js libgfortran5 libquadmath0)
folder=build-gpu/libraries
rm -rf "$folder" && mkdir -p "$folder"
dpkg -L "${packages[@]}" | grep -vE '/share/(doc|man|lintian)/|^/usr/src/|/lib(z|fmt)\.a$|/unsupported/' | sort -u |
  while read -r file; do
    [ -f "$file" ] || continue
    # Links are followed: their targets may lie elsewhere there. /lib is /usr/lib.
    to="$folder/usr/${file#/}"; to=${to/usr\/usr/usr}
    mkdir -p "$(dirname "$to")" && cp -L "$file" "$to"
  done
arch=$(dpkg-architecture -qDEB_HOST_MULTIARCH 2>/dev/null || gcc -print-multiarch)
mkdir -p "$folder/usr/include/openblas"
cp -L /usr/include/"$arch"/openblas-openmp/*.h "$folder/usr/include/openblas"
cp -L /usr/lib/"$arch"/openblas-openmp/libopenblas.so.0 "$folder/usr/lib/$arch"
ln -s libopenblas.so.0 "$folder/usr/lib/$arch/libopenblas.so"
tar -C build-gpu -cf - libraries | xz -T0 -6 >build-gpu/libraries.tar.xz
rm -rf "$folder"
# The plugin, where it is built.
[ ! -f build/libspicymkl_cuda.so ] || strip -o build-gpu/libspicymkl_cuda.so build/libspicymkl_cuda.so
ls -l build-gpu
