#!/usr/bin/env bash
# Builds the R package of the folder SOURCE into BUILD/r, against the library that BUILD has compiled:
#   tools/build_r.sh SOURCE BUILD [tarball]
# With `tarball`, the source package with its vignette is made first, BUILD/spicymkl_VERSION.tar.gz, and installed.
# COMPILER_LAUNCHER, such as ccache, is put before the compiler.
set -euo pipefail
source=$1
build=$2
copy=$build/r-source
log=$build/r-build.log
export SPICYMKL_HOME=$build/installed
export R_MAKEVARS_USER=$build/r-makevars

quietly() { "$@" >"$log" 2>&1 || { cat "$log" >&2; exit 1; }; }

quietly cmake --install "$build" --prefix "$SPICYMKL_HOME" --component library
# Without symbols for debuggers, with which R compiles more slowly.
echo "CXX20 = ${COMPILER_LAUNCHER:-} $(R CMD config CXX20)
CXX20FLAGS = -O2" >"$R_MAKEVARS_USER"

if [ "${3:-}" = tarball ]; then
  rm -rf "$build"/spicymkl_*.tar.gz "$build/r-tarball"
  mkdir "$build/r-tarball"
  (cd "$build" && quietly R CMD build --no-manual "$source")
  tar -xzf "$build"/spicymkl_*.tar.gz -C "$build/r-tarball"
  source=$build/r-tarball/spicymkl
fi

# A copy is built, where what was compiled is kept for the next time. R's makefiles know nothing of what a file includes.
mkdir -p "$build/r" "$copy/src"
if [ -n "$(find "$source/src" "$SPICYMKL_HOME" -name '*.[ch]pp' -newer "$copy/DESCRIPTION" 2>/dev/null)" ]; then
  rm -f "$copy"/src/*.o
fi
find "$copy" -type f ! -name '*.o' -delete
cp -R --preserve=timestamps "$source/." "$copy"
touch "$copy/DESCRIPTION"
quietly R CMD INSTALL --no-lock --no-test-load --library="$build/r" "$copy"
