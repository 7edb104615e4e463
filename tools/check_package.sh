#!/usr/bin/env bash
# Installs the Debian package of the given folder on a clean system, made for the purpose, and does the main job there.
set -euo pipefail
folder=$(realpath "$1")
release=${2:-$(. /etc/os-release; echo "$VERSION_CODENAME")}
root=$(mktemp -d)
chmod 755 "$root"  # apt reads there as a user of its own
trap 'umount -q "$root/proc" || true; rm -rf --one-file-system "$root"' EXIT

debootstrap --variant=minbase "$release" "$root" http://deb.debian.org/debian >/dev/null
mount -t proc proc "$root/proc"
cp "$folder"/spicymkl_*.deb "$root/tmp/"
chroot "$root" apt-get update -qq
chroot "$root" sh -c 'DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends /tmp/spicymkl_*.deb >/dev/null'
chroot "$root" sh -ec '
  cd /tmp
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
echo "the package installs, runs and is removed on a clean $release"
