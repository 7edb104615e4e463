#!/usr/bin/env bash
# Tries the packages of a folder on a clean system, made for the purpose, and does the main job with each. As root:
#   tools/check_package.sh FOLDER [command] [r] [octave] [wheel] [sources]
# Without names all are tried. `sources` compiles the source packages for Python, R and Octave, which takes minutes.
# RELEASE is the system, by default that of this machine. Wheels are tried with its python3, and with each of PYTHONS, which
# are taken along.
set -euo pipefail
here=$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")
folder=$(realpath "$1")
shift
[ $# -gt 0 ] || set -- command r octave wheel sources
release=${RELEASE:-$(. /etc/os-release; echo "$VERSION_CODENAME")}
root=$(mktemp -d)
chmod 755 "$root"  # apt reads there as a user of its own
trap 'umount -q "$root/proc" || true; rm -rf --one-file-system "$root"' EXIT

# With whatever this machine needs to reach Debian and PyPI.
make_system() {
  debootstrap --variant=minbase "$release" "$root" "${MIRROR:-http://deb.debian.org/debian}" >/dev/null
  mount -t proc proc "$root/proc"
  cp /etc/apt/apt.conf.d/99* "$root/etc/apt/apt.conf.d/" 2>/dev/null || true
  cp /etc/resolv.conf /etc/hosts "$root/etc/"
  cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/certificates-of-the-host.pem"
  inside 'apt-get update -qq'
}

inside() {
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    PIP_CERT=/etc/certificates-of-the-host.pem chroot "$root" sh -ec "cd /tmp; $1"
}

install_inside() { inside "apt-get install -y -qq --no-install-recommends $* >/dev/null"; }

refuse_compiler() { inside '! command -v cc && ! command -v c++' || { echo "there is a compiler: nothing is proved" >&2; exit 1; }; }

# The first example of a page, as printed: first_example PAGE LANGUAGE. Commands of a checkout are none.
first_example() {
  awk -v begin="\`\`\`$2" '$0 == begin { inside = 1; text = ""; next }
                          inside && /^```$/ { inside = 0; if (text !~ /\.\/dev/) { printf "%s", text; exit } }
                          inside { text = text $0 "\n" }' "$here/$1"
}

octave_example() {
  first_example docs/octave.md octave >"$root/tmp/example.m"
  echo "assert (accuracy > 0.95); assert (model.duality_gap <= 1e-3); disp ('the example runs')" >>"$root/tmp/example.m"
}

r_example() {
  first_example docs/r.md r >"$root/tmp/example.R"
  echo 'stopifnot(fit$gap <= 1e-3, mean(predict(fit, iris, type = "class") == iris$Species) > 0.9)' >>"$root/tmp/example.R"
}

python_example() {
  { echo "from sklearn.datasets import load_iris; X, y = load_iris(return_X_y=True); X_new = X"
    first_example README.md python
    echo "assert clf.score(X, y) > 0.9 and clf.duality_gap_ <= 1e-3"; } >"$root/tmp/example.py"
}

check_command() {
  cp "$folder"/spicymkl_*.deb "$root/tmp/"
  install_inside '/tmp/spicymkl_*.deb'
  first_example README.md sh >"$root/tmp/example.sh"
  inside '
    spicymkl --version
    mkdir -p build
    ln -s /usr/bin/spicymkl build/  # as a checkout has it
    sh -e example.sh
    grep -q "Chart.js" report.html
    test -s /usr/share/man/man1/spicymkl.1 || test -s /usr/share/man/man1/spicymkl.1.gz || test ! -d /usr/share/man/man1
    test -s /usr/share/bash-completion/completions/spicymkl
    test -s /usr/share/zsh/vendor-completions/_spicymkl
    apt-get remove -y -qq spicymkl >/dev/null
    test ! -e /usr/bin/spicymkl'  # the shell remembers where it was, and would say that it still is there
}

check_r() {
  cp "$folder"/r-cran-spicymkl_*.deb "$root/tmp/"
  install_inside '/tmp/r-cran-spicymkl_*.deb'
  refuse_compiler
  r_example
  inside 'Rscript example.R; test -s Rplots.pdf; Rscript -e "stopifnot(nrow(vignette(package = \"spicymkl\")$results) == 1)"
          apt-get remove -y -qq r-cran-spicymkl >/dev/null'
  inside '! Rscript -e "library(spicymkl)" 2>/dev/null'
}

check_octave() {
  cp "$folder"/octave-spicymkl_*.deb "$root/tmp/"
  install_inside '/tmp/octave-spicymkl_*.deb'
  octave_example
  inside 'octave-cli -q --no-history example.m; apt-get remove -y -qq octave-spicymkl >/dev/null'
  inside '! octave-cli -q --no-history --eval "spicymkl_train (1, 2)" 2>/dev/null'
}

# A Python of this machine with the Debian packages that its own libraries are in; prints its path.
take_along() {
  local prefix libraries
  prefix=$("$1" -c 'import sys; print(sys.base_prefix)')
  libraries=$(find "$prefix" -name '*.so' -o -name 'libpython3*.so.*' | xargs ldd 2>/dev/null | awk '/=> \/(usr\/)?lib/{print $3}' |
                sort -u | xargs realpath | sed 's,.*/,*/,' | xargs dpkg-query -S | cut -d: -f1 | sort -u)  # in /lib or /usr/lib
  install_inside $libraries >&2
  mkdir -p "$root$(dirname "$prefix")"
  cp -R --preserve=links "$prefix" "$root$(dirname "$prefix")/"
  realpath "$(command -v "$1")"
}

# Everything it needs beside NumPy and scikit-learn comes with it. Of several wheels, that for the Python which asks.
try_wheel() {
  inside "rm -rf fresh; $1 -m venv fresh"
  inside '
    fresh/bin/python --version
    fresh/bin/pip install --quiet --disable-pip-version-check --no-index --no-deps --only-binary :all: --find-links . spicymkl
    fresh/bin/pip install --quiet --disable-pip-version-check spicymkl  # what it depends on
    fresh/bin/python example.py'
}

check_wheel() {
  cp "$folder"/spicymkl-*.whl "$root/tmp/"
  python_example
  echo 'assert any("spicymkl.libs" in line for line in open("/proc/self/maps") if "openblas" in line)' >>"$root/tmp/example.py"
  install_inside python3-venv
  refuse_compiler
  try_wheel python3
  for python in ${PYTHONS:-}; do try_wheel "$(take_along "$python")"; done
}

check_sources() {
  cp "$folder"/spicymkl-[0-9]*.tar.gz "$folder"/spicymkl-octave-*.tar.gz "$folder"/spicymkl_*.tar.gz \
    "$folder"/libspicymkl-dev_*.deb "$root/tmp/"
  install_inside "$(bash -c "source <(sed -n '/^command_packages=/,/)/p' '$here/dev'); echo \"\${command_packages[*]}\"")" \
    make python3-dev python3-venv octave octave-dev r-base-dev r-cran-rcpp '/tmp/libspicymkl-dev_*.deb'
  python_example
  inside '
    python3 -m venv compiled
    compiled/bin/pip install --quiet --disable-pip-version-check spicymkl-[0-9]*.tar.gz
    compiled/bin/python example.py'
  octave_example
  inside 'octave-cli -q --no-history --eval "pkg install $(ls spicymkl-octave-*.tar.gz); pkg load spicymkl; run (\"example.m\")"'
  r_example
  inside 'R CMD INSTALL spicymkl_*.tar.gz >install.log 2>&1 || { cat install.log; exit 1; }; Rscript example.R'
}

make_system
for what in "$@"; do
  "check_$what"
  echo "$what: installs and runs on a clean $release"
done
