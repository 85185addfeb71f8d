#!/bin/bash
#
# Makes test hosts on this machine: hosts.sh COUNT DOMAIN DIRECTORY [PATH...]
#
# A host is a network, mount, PID, UTS and IPC namespace. It has its own addresses, name, processes, /tmp, /run, /home, /root, /dev/shm,
# users and hosts file. All other files are the machine's. Host i is called DOMAIN-worker-i, as in Volcano. Its eth0 is on a bridge in
# another namespace. The machine has no name for any of this, so two runs do not disturb each other or the machine.
#
# DIRECTORY (existing) and the PATHs are the same on all hosts. The script prints "host i pid" when host i is ready, with the pid of its
# process 1, or "failed i". All hosts exist until standard input ends, or the script is killed.
#
# HOSTS_KEY may name an existing private key, with the public one beside it: making a key takes as long as a short job.
set -euo pipefail

readonly MOUNT_OVER=(/run /home /root /dev/shm /var/tmp /tmp)

# However the script ends, all processes of all hosts end: they are in a PID namespace whose first process is that of the bridge.
start() {
  exec unshare --pid --net --fork --kill-child=KILL -- "$0" bridge "$@"
}

bridge() {
  local count=$1 me index
  shift
  # /proc is still that of the machine, so this is the pid outside the namespace.
  read -r me _ </proc/self/stat
  make_keys "$2/keys"
  ip link add bridge0 type bridge
  ip link set bridge0 up
  for ((index = 0; index < count; index++)); do
    # Without the redirection the standard input would be /dev/null.
    unshare --net --mount --pid --uts --ipc --fork --kill-child=KILL -- "$0" host "$me" "$index" "$count" "$@" <&0 &
  done
  await_end
}

# The job's common key, as Volcano's ssh plugin puts it into all containers.
make_keys() {
  mkdir -m 700 "$1"
  if [[ ${HOSTS_KEY-} ]]; then
    cp "$HOSTS_KEY" "$1/id_rsa"
    cp "$HOSTS_KEY.pub" "$1/id_rsa.pub"
  else
    ssh-keygen -q -t rsa -b 2048 -N '' -C 'the job' -f "$1/id_rsa"
  fi
  cp "$1/id_rsa.pub" "$1/authorized_keys"
  printf '%s\n' 'StrictHostKeyChecking no' 'UserKnownHostsFile /dev/null' >"$1/config"
  chmod 600 "$1"/*
}

host() {
  local bridge=$1 index=$2 count=$3 domain=$4 directory=$5 me
  shift 5
  read -r me _ </proc/self/stat
  trap 'printf "failed %s\n" "$index"' ERR
  connect "/proc/$bridge/ns/net" "$index"
  furnish "$index" "$count" "$domain" "$directory" "$@"
  hostname "$domain-worker-$index"
  mount -t proc proc /proc
  printf 'host %s %s\n' "$index" "$me"
  await_end
}

address() {
  printf '10.77.%d.%d' $(($1 / 200)) $(($1 % 200 + 10))
}

connect() {
  ip link add eth0 type veth peer name "host$2" netns "$1"
  nsenter "--net=$1" ip link set "host$2" master bridge0 up
  ip address add "$(address "$2")/16" dev eth0
  ip link set eth0 up
  ip link set lo up
}

# All mounts are prepared on a file system of the host first: the directories to mount over may contain DIRECTORY.
furnish() {
  local index=$1 count=$2 domain=$3 directory=$4 own=$4/host-$1 path
  mkdir "$own"
  mount -t tmpfs -o mode=755 host "$own"
  mkdir -p "$own"/etc "${MOUNT_OVER[@]/#/$own}" "$own/run/sshd" "$own/home/ma-user/modelarts/log"
  chmod 1777 "$own"/{tmp,var/tmp,dev/shm}
  chmod 700 "$own/root"
  cp -pr "$directory/keys" "$own/root/.ssh"
  cp -pr "$directory/keys" "$own/home/ma-user/.ssh"
  chown -R 1000:100 "$own/home/ma-user"
  names "$count" "$domain" >"$own/etc/hosts"
  printf 'passwd: files\ngroup: files\nshadow: files\nhosts: files\n' >"$own/etc/nsswitch.conf"
  { awk -F: '$3 != 1000 && $1 != "ma-user"' /etc/passwd && echo 'ma-user:x:1000:100::/home/ma-user:/bin/bash'; } >"$own/etc/passwd"
  # "*" is no password, but does not lock the user: sshd would refuse a locked user.
  (umask 077 && sed 's/:.*/:*:19000:0:99999:7:::/' "$own/etc/passwd" >"$own/etc/shadow")
  for path in "$own"/etc/*; do
    [[ ! -e /etc/${path##*/} ]] || mount --bind "$path" "/etc/${path##*/}"
  done
  for path in "$directory" "$@"; do
    keep "$path" "$own"
  done
  for path in "${MOUNT_OVER[@]}"; do
    [[ -L $path || ! -d $path ]] || mount --rbind "$own$path" "$path"
  done
}

# Keeps a path of the machine visible if a mount would hide it.
keep() {
  local hidden
  for hidden in "${MOUNT_OVER[@]}"; do
    if [[ $1 == "$hidden"/* ]]; then
      mkdir -p "$2$1"
      mount --bind "$1" "$2$1"
    fi
  done
}

names() {
  local index
  printf '127.0.0.1 localhost\n'
  for ((index = 0; index < $1; index++)); do
    printf '%s %s.%s %s\n' "$(address "$index")" "$2-worker-$index" "$2" "$2-worker-$index"
  done
}

# While bash waits here it reaps orphans, as the first process of a container must.
await_end() {
  local line
  while read -r line; do :; done
}

case $1 in
  bridge | host) "$@" ;;
  *) start "$@" ;;
esac
