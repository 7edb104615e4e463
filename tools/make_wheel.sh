#!/usr/bin/env bash
# The source distribution of the Python package, and from it a wheel for each of the given Pythons, which needs no
# compiler and carries its libraries: tools/make_wheel.sh FOLDER PYTHON... From 3.12 on one wheel serves all later Pythons.
#
# The wrapper methods stay out: they would bring LIBSVM, Clp and a second BLAS with them.
set -euo pipefail
here=$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")
folder=$(realpath "$1")
work=$folder/python

# The tools, for one Python, in the folder environment.
make_environment() {
  "$1" -m venv --clear "$work/environment"
  python=$work/environment/bin/python
  "$python" -m pip install --quiet --disable-pip-version-check -r "$here/requirements-package.txt"
}

# Whether a wheel is there already that this Python takes.
is_served() {
  "$python" -m pip install --quiet --disable-pip-version-check --dry-run --no-index --no-deps --only-binary :all: \
    --find-links "$folder" spicymkl 2>/dev/null
}

build_wheel() {
  rm -rf "$work"/{source,built,repaired,unpacked}
  mkdir "$work/source"
  tar -xzf "$folder"/spicymkl-[0-9]*.tar.gz -C "$work/source" --strip-components=1
  "$python" -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation -w "$work/built" \
    --config-settings=build-dir="$work/source/build" --config-settings=cmake.define.SPICYMKL_BASELINES=OFF "$work/source"
  PATH=$(dirname "$python"):$PATH "$python" -m auditwheel repair -w "$work/repaired" "$work"/built/spicymkl-*.whl
}

# The terms of each library that the wheel now holds, as Debian states them.
add_licences() {
  "$python" -m wheel unpack -d "$work/unpacked" "$work"/repaired/spicymkl-*.whl >/dev/null
  local licences name package linked
  licences=$(echo "$work"/unpacked/spicymkl-*/spicymkl-*.dist-info)/licenses
  mkdir -p "$licences"
  linked=$(ldd "$(find "$work/source/build" -name '_core*.so')" | awk '/=> \//{print $3}' | xargs realpath)
  for library in "$work"/unpacked/*/spicymkl.libs/*; do
    name=$(basename "$library" | sed 's/-[0-9a-f]\{8\}\..*//')  # auditwheel adds a part of the file's hash
    package=$(dpkg-query -S "$(grep -m 1 "/$name[^/]*$" <<<"$linked")" | cut -d: -f1)
    cp "/usr/share/doc/$package/copyright" "$licences/$package.copyright"
  done
  "$python" -m wheel pack -d "$folder" "$work"/unpacked/spicymkl-* >/dev/null
}

mkdir -p "$work"
make_environment "$2"
(cd "$here" && "$python" -m build --sdist --no-isolation -o "$folder" . >/dev/null)
for each in "${@:2}"; do
  make_environment "$each"
  if is_served; then continue; fi
  build_wheel
  add_licences
done
rm -r "$work"
