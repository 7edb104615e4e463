#!/usr/bin/env bash
# Tries the packages of a folder on a clean system, made for the purpose, and does the main job with each. As root:
#   tools/check_package.sh FOLDER [command] [octave] [wheel] [sources]
# Without names all are tried. `sources` compiles the source distribution and the Octave tarball, which takes minutes.
# RELEASE is the system, by default that of this machine.
set -euo pipefail
here=$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")
folder=$(realpath "$1")
shift
[ $# -gt 0 ] || set -- command octave wheel sources
release=${RELEASE:-$(. /etc/os-release; echo "$VERSION_CODENAME")}
root=$(mktemp -d)
chmod 755 "$root"  # apt reads there as a user of its own
trap 'umount -q "$root/proc" || true; rm -rf --one-file-system "$root"' EXIT

# With whatever this machine needs to reach Debian and PyPI.
make_system() {
  debootstrap --variant=minbase "$release" "$root" http://deb.debian.org/debian >/dev/null
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

# The first example of the page, as printed.
octave_example() {
  sed -n '/^```octave$/,/^```$/p' "$here/docs/octave.md" | sed '1d;/^```$/,$d' > "$root/tmp/example.m"
  echo "assert (accuracy > 0.95); assert (model.duality_gap <= 1e-3); disp ('the example runs')" >> "$root/tmp/example.m"
}

check_command() {
  cp "$folder"/spicymkl_*.deb "$root/tmp/"
  install_inside '/tmp/spicymkl_*.deb'
  inside '
    spicymkl --version
    spicymkl generate multisource -n 200 --seed 1 -o train.csv
    spicymkl generate multisource -n 200 --seed 2 -o test.csv
    spicymkl train train.csv --target y --model m.safetensors --test test.csv --report r.html
    spicymkl verify m.safetensors train.csv
    grep -q "Chart.js" r.html
    test -s /usr/share/man/man1/spicymkl.1 || test -s /usr/share/man/man1/spicymkl.1.gz || test ! -d /usr/share/man/man1
    test -s /usr/share/bash-completion/completions/spicymkl
    test -s /usr/share/zsh/vendor-completions/_spicymkl
    apt-get remove -y -qq spicymkl >/dev/null
    test ! -e /usr/bin/spicymkl'  # the shell remembers where it was, and would say that it still is there
}

check_octave() {
  cp "$folder"/octave-spicymkl_*.deb "$root/tmp/"
  install_inside '/tmp/octave-spicymkl_*.deb'
  octave_example
  inside 'octave-cli -q --no-history example.m; apt-get remove -y -qq octave-spicymkl >/dev/null'
  inside '! octave-cli -q --no-history --eval "spicymkl_train (1, 2)" 2>/dev/null'
}

# Everything it needs beside NumPy and scikit-learn comes with it. Of several wheels, that for this system's Python.
check_wheel() {
  cp "$folder"/spicymkl-*.whl "$root/tmp/"
  install_inside python3-venv
  refuse_compiler
  inside '
    python3 -m venv fresh
    fresh/bin/pip install --quiet --disable-pip-version-check --no-index --no-deps --only-binary :all: --find-links . spicymkl
    fresh/bin/pip install --quiet --disable-pip-version-check spicymkl  # what it depends on
    fresh/bin/python -c "
from sklearn.datasets import load_iris
from spicymkl import MKLClassifier
X, y = load_iris(return_X_y=True)
clf = MKLClassifier().fit(X, y)
assert clf.score(X, y) > 0.9 and (clf.duality_gap_ <= 1e-3).all()
used = {line.split()[-1] for line in open(\"/proc/self/maps\") if \"openblas\" in line}
assert any(\"spicymkl.libs\" in path for path in used), used
"'
}

check_sources() {
  cp "$folder"/spicymkl-[0-9]*.tar.gz "$folder"/spicymkl-octave-*.tar.gz "$root/tmp/"
  install_inside "$(bash -c "source <(sed -n '/^command_packages=/,/)/p' '$here/dev'); echo \"\${command_packages[*]}\"")" \
    make python3-dev python3-venv octave octave-dev
  inside '
    python3 -m venv compiled
    compiled/bin/pip install --quiet --disable-pip-version-check spicymkl-[0-9]*.tar.gz
    compiled/bin/python -c "import spicymkl; spicymkl.MKLRegressor().fit([[0.], [1.], [2.], [4.]], [0.1, 1.3, 2.2, 3.7])"'
  octave_example
  inside 'octave-cli -q --no-history --eval "pkg install $(ls spicymkl-octave-*.tar.gz); pkg load spicymkl; run (\"example.m\")"'
}

make_system
for what in "$@"; do
  "check_$what"
  echo "$what: installs and runs on a clean $release"
done
