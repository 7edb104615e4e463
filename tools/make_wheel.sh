#!/usr/bin/env bash
# The source distribution of the Python package, and a wheel that is built from it, needs no compiler and carries its
# libraries: tools/make_wheel.sh PYTHON FOLDER. The wheel is for that Python; from 3.12 on one serves all later ones.
#
# The wrapper methods stay out: they would bring LIBSVM, Clp and a second BLAS with them.
set -euo pipefail
python=$(realpath --no-symlinks "$1")
folder=$(realpath "$2")

rm -rf "$folder/python"
mkdir -p "$folder/python"
"$python" -m build --sdist --no-isolation -o "$folder" . >/dev/null
tar -xzf "$folder"/spicymkl-[0-9]*.tar.gz -C "$folder/python"
cd "$folder"/python/spicymkl-*
"$python" -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation -w "$folder/python" \
  --config-settings=build-dir=build --config-settings=cmake.define.SPICYMKL_BASELINES=OFF .
cd "$folder/python"
PATH=$(dirname "$python"):$PATH "$python" -m auditwheel repair -w repaired spicymkl-*.whl

# The terms of each library that the wheel now holds, as Debian states them.
"$python" -m wheel unpack -d unpacked repaired/spicymkl-*.whl >/dev/null
licences=$(echo unpacked/spicymkl-*/spicymkl-*.dist-info)/licenses
mkdir -p "$licences"
linked=$(ldd "$(find spicymkl-*/build -name '_core*.so')" | awk '/=> \//{print $3}' | xargs realpath)
for library in unpacked/*/spicymkl.libs/*; do
  name=$(basename "$library" | sed 's/-[0-9a-f]\{8\}\..*//')  # auditwheel adds a part of the file's hash
  package=$(dpkg-query -S "$(grep -m 1 "/$name[^/]*$" <<< "$linked")" | cut -d: -f1)
  cp "/usr/share/doc/$package/copyright" "$licences/$package.copyright"
done
"$python" -m wheel pack -d "$folder" unpacked/spicymkl-* >/dev/null
rm -r "$folder/python"
