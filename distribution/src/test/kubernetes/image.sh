#!/bin/bash
#
# image.sh PLACE PACKAGE ARCHIVE: writes ARCHIVE, a container image with Debian, Python, a JRE, ssh, Open MPI, and Muster's PACKAGE.
# PLACE keeps Debian's part between runs. Neither a registry nor a container engine is needed.
set -euo pipefail

here=$(cd -- "${BASH_SOURCE[0]%/*}" && pwd)
place=$1 package=$2 archive=$3
readonly RELEASE=bookworm
readonly PACKAGES=python3,python3-mpi4py,openjdk-17-jre-headless,openssh-server,openssh-client,openmpi-bin,procps,iproute2

# The mirror that apt of this machine uses. If it has none for this release, debootstrap's default.
mirror() {
  # shellcheck disable=SC2016 # apt-get expands it.
  apt-get indextargets --format '$(SITE)' 'Created-By: Packages' "Codename: $RELEASE" 'Component: main' | head -n 1
}

debian() {
  local root=$place/root
  rm -rf "$root"
  # shellcheck disable=SC2046 # No word at all where apt knows no mirror.
  debootstrap --variant=minbase "--include=$PACKAGES" "$RELEASE" "$root" $(mirror) >"$place/debootstrap.log" ||
    { tail -n 5 "$place/debootstrap.log" >&2 && exit 69; }
  # Settings of mpi-operator's base image: host keys are unknown, and the mounted keys belong to root.
  printf 'Host *\n  StrictHostKeyChecking no\n  UserKnownHostsFile /dev/null\n  LogLevel ERROR\n' \
    >"$root/etc/ssh/ssh_config.d/job.conf"
  printf 'StrictModes no\n' >"$root/etc/ssh/sshd_config.d/job.conf"
  mkdir -p "$root/run/sshd"
  # The workers of a PyTorchJob wait with nslookup for the name of their master.
  # shellcheck disable=SC2016 # The script expands it.
  printf '#!/bin/sh\nexec getent hosts "$1"\n' >"$root/usr/local/bin/nslookup"
  chmod 755 "$root/usr/local/bin/nslookup"
  useradd --root "$root" --create-home --uid 1000 --shell /bin/bash user
  tar -C "$root" --numeric-owner --exclude='./proc/*' --exclude='./sys/*' --exclude='./dev/*' \
    --exclude='./var/cache/apt/archives/*.deb' --exclude='./var/lib/apt/lists/*' -cf "$place/debian.part" .
  rm -rf "$root"
  mv "$place/debian.part" "$place/debian.tar"
}

muster() {
  local root=$place/layer
  rm -rf "$root"
  mkdir -p "$root/opt" "$root/usr/local/bin"
  cp -r "$package" "$root/opt/muster"
  cp "$here/train.py" "$root/opt/train.py"
  ln -s /opt/muster/bin/muster "$root/usr/local/bin/muster"
  tar -C "$root" --owner=0 --group=0 --numeric-owner -cf "$place/muster.tar" .
  rm -rf "$root"
}

mkdir -p "$place"
[[ -s $place/debian.tar ]] || debian
muster
python3 "$here/image.py" "$archive" muster.test/job:1 "$place/debian.tar" "$place/muster.tar"
