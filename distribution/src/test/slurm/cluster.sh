#!/bin/bash
#
# Makes a real Slurm cluster on this machine: cluster.sh DIRECTORY KILL_WAIT GPUS... [-- PATH...]
#
# One node for every number of GPUS, n1, n2, ..., and a controller, ctl, where srun and sbatch are called. Each is a network, mount,
# PID, UTS and IPC namespace: own addresses, name, processes, /tmp, /run, /root, /dev/shm and hosts file. Nothing of it has a name or an
# address outside, and munge has a key of this cluster's own. KILL_WAIT is Slurm's KillWait in seconds.
#
# DIRECTORY (existing) and the PATHs are the same on all nodes, wherever they are, as home directories of a cluster are. When all nodes
# are idle a line "cluster pid" is printed, with the pid of the controller's process 1; or a line "failed". The configuration is
# DIRECTORY/slurm.conf. The cluster is there until standard input ends, or one kills this.
set -euo pipefail

readonly MOUNT_OVER=(/run /root /dev/shm /var/tmp /tmp)
readonly FREEZER=/sys/fs/cgroup/freezer
readonly CONTROLLER=254
readonly READY_SECONDS=20

# Every way to die takes all processes along: they are in a PID namespace whose first process is the controller's. What is left are
# control groups, which are the machine's: their empty directories go last.
#
# Production kills what a step leaves behind by its control group. Two clusters would share those of nodes with the same name, so only
# one at a time has them, by a lock that all its daemons inherit (not on the directory, which Slurm itself locks). Without them, or
# without a freezer of version 1, Slurm follows parents instead.
start() {
  local status=0 groups
  export tracking=linuxproc
  if [[ -w $FREEZER/cgroup.procs ]] && exec {groups}<"$FREEZER/cgroup.procs" && flock --nonblock "$groups"; then
    tracking=cgroup
    remove_groups
  fi
  unshare --pid --net --mount --uts --ipc --fork --kill-child=KILL -- "$0" controller "$@" || status=$?
  [[ $tracking != cgroup ]] || remove_groups
  return "$status"
}

controller() {
  local directory=$1 kill_wait=$2 me index gpus=() paths=()
  shift 2
  while (($# > 0)) && [[ $1 != -- ]]; do
    gpus+=("$1")
    shift
  done
  [[ ${1-} != -- ]] || shift
  paths=("$directory" "$@")
  # /proc is still the machine's, so this is the pid that the machine knows.
  read -r me _ </proc/self/stat
  trap 'printf "failed\n"' ERR
  export SLURM_CONF=$directory/slurm.conf PATH=$PATH:/usr/sbin:/sbin
  mkdir "$directory"/{state,spool,log,munge,dev,own}
  names "${#gpus[@]}" >"$directory/hosts"
  configure "$directory" "$kill_wait" "${gpus[@]}"
  ip link add bridge0 type bridge
  ip address add "$(address "$CONTROLLER")/24" dev bridge0
  ip link set bridge0 up
  ip link set lo up
  furnish ctl "${paths[@]}"
  mount -t proc proc /proc
  authenticate "$directory/munge"
  slurmctld -D >"$directory/log/ctl.out" 2>&1 &
  for ((index = 1; index <= ${#gpus[@]}; index++)); do
    # Without the redirection the standard input would be /dev/null.
    unshare --net --mount --pid --uts --ipc --fork --kill-child=KILL -- "$0" node "$index" "${paths[@]}" <&0 &
  done
  await_idle "${#gpus[@]}"
  printf 'cluster %s\n' "$me"
  await_end
}

node() {
  local index=$1 directory=$2
  shift
  trap 'printf "failed\n"' ERR
  connect "$index"
  furnish "n$index" "$@"
  mount -t proc proc /proc
  slurmd -D -N "n$index" >"$directory/log/n$index.out" 2>&1 &
  await_end
}

address() {
  printf '10.78.0.%d' "$1"
}

# A node still sees the processes of the controller here, whose first one has the bridge.
connect() {
  ip link add eth0 type veth peer name "node$1" netns "/proc/1/ns/net"
  nsenter "--net=/proc/1/ns/net" ip link set "node$1" master bridge0 up
  ip address add "$(address "$1")/24" dev eth0
  ip link set eth0 up
  ip link set lo up
}

names() {
  local index
  printf '127.0.0.1 localhost\n%s ctl\n' "$(address "$CONTROLLER")"
  for ((index = 1; index <= $1; index++)); do
    printf '%s n%d\n' "$(address "$index")" "$index"
  done
}

# Everything is put together on a file system of the node's own first: what is mounted over may hold DIRECTORY.
furnish() {
  local name=$1 directory=$2 own=$2/own/$1 path
  shift
  mount --make-rprivate /
  mkdir "$own"
  mount -t tmpfs -o mode=755 "$name" "$own"
  mkdir -p "${MOUNT_OVER[@]/#/$own}" "$own"/run/{sshd,munge}
  # Where munge and unmunge look for the service.
  ln -s "$directory/munge/socket" "$own/run/munge/munge.socket.2"
  chmod 1777 "$own"/{tmp,var/tmp,dev/shm}
  chmod 700 "$own/root"
  for path in "$@"; do
    keep "$path" "$own"
  done
  mount --bind "$directory/hosts" /etc/hosts
  # Daemons that follow parents look for control groups all the same, and give up at those of a newer version.
  [[ $tracking == cgroup ]] || mount -t tmpfs groups /sys/fs/cgroup
  for path in "${MOUNT_OVER[@]}"; do
    [[ -L $path || ! -d $path ]] || mount --rbind "$own$path" "$path"
  done
  hostname "$name"
}

# Makes a path of the machine visible where it would be hidden.
keep() {
  local hidden
  for hidden in "${MOUNT_OVER[@]}"; do
    if [[ $1 == "$hidden"/* ]]; then
      mkdir -p "$2$1"
      mount --rbind "$1" "$2$1"
    fi
  done
}

# munged looks at who owns what; a cluster that is root's alone satisfies it.
authenticate() {
  local munged
  chmod 711 "$1"
  (umask 077 && head -c 1024 /dev/urandom >"$1/key")
  munged --foreground --force "--key-file=$1/key" "--socket=$1/socket" "--pid-file=$1/pid" "--log-file=$1/log" \
    "--seed-file=$1/seed" >"$1/out" 2>&1 &
  munged=$!
  until [[ -S $1/socket ]]; do
    kill -0 "$munged" || { cat "$1/out" >&2; return 1; }
    pause
  done
}

configure() {
  local directory=$1 kill_wait=$2 index
  shift 2
  printf 'CgroupPlugin=cgroup/v1\n' >"$directory/cgroup.conf"
  cat >"$directory/slurm.conf" <<CONF
ClusterName=muster
SlurmctldHost=ctl($(address "$CONTROLLER"))
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
# A requeued job waits as long as credentials live, by default two minutes.
AuthInfo=socket=$directory/munge/socket,cred_expire=5
StateSaveLocation=$directory/state
SlurmdSpoolDir=$directory/spool/%n
SlurmctldPidFile=$directory/state/slurmctld.pid
SlurmdPidFile=$directory/state/slurmd-%n.pid
SlurmctldLogFile=$directory/log/slurmctld.log
SlurmdLogFile=$directory/log/slurmd-%n.log
SlurmctldPort=16817
SlurmdPort=16818
ProctrackType=proctrack/$tracking
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
# Jobs of several components are started by the backfill scheduler alone.
SchedulerParameters=sched_interval=1,batch_sched_delay=0,bf_interval=1
ReturnToService=2
KillWait=$kill_wait
TCPTimeout=2
SlurmdTimeout=60
MinJobAge=300
SlurmdParameters=config_overrides
GresTypes=gpu
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:4
CONF
  for ((index = 1; index <= $#; index++)); do
    mkdir "$directory/spool/n$index"
    printf 'NodeName=n%d NodeAddr=%s CPUs=8 RealMemory=2000 Gres=gpu:%d State=UNKNOWN\n' \
      "$index" "$(address "$index")" "${!index}" >>"$directory/slurm.conf"
    cards "$directory" "$index" "${!index}" >>"$directory/gres.conf"
  done
}

# A card is a device that exists; nobody opens it.
cards() {
  local card
  (($3 > 0)) || return 0
  for ((card = 0; card < $3; card++)); do
    [[ -e $1/dev/card$card ]] || mknod "$1/dev/card$card" c 1 3
  done
  printf 'NodeName=n%d Name=gpu Count=%d File=%s/dev/card[0-%d]\n' "$2" "$3" "$1" $(($3 - 1))
}

# Only directories without processes let themselves be removed.
remove_groups() {
  find "$FREEZER"/slurm_n[0-9]* -depth -type d -exec rmdir {} + 2>/dev/null || true
}

await_idle() {
  local end=$((SECONDS + READY_SECONDS)) idle
  while idle=$(sinfo --noheader --Node --format %T 2>/dev/null | grep -c '^idle$') || true; [[ $idle != "$1" ]]; do
    ((SECONDS < end))
    pause
  done
}

# No program takes so short a nap everywhere, and none has to be started for it: nothing is ever written to this descriptor.
pause() {
  [[ -n ${nap-} ]] || exec {nap}<> <(:)
  read -rt 0.05 -u "$nap" || true
}

# bash buries orphans while it waits here, as the first process of a container should.
await_end() {
  while read -r _; do :; done
}

case $1 in
  controller | node) "$@" ;;
  *) start "$@" ;;
esac
