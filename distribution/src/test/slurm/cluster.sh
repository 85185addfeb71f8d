#!/bin/bash
#
# Makes a real Slurm cluster on this machine: cluster.sh DIRECTORY KILL_WAIT GPUS... [-- PATH...]
#
# Makes one node for each number of GPUS (n1, n2, ...), and a controller (ctl), where srun and sbatch run. Each is a network, mount, PID,
# UTS and IPC namespace with its own addresses, name, processes, /tmp, /run, /root, /dev/shm and hosts file. The machine has no name or
# address for them. The cluster has its own munge key. KILL_WAIT is Slurm's KillWait in seconds.
#
# DIRECTORY (existing) and the PATHs are the same on all nodes, like home directories of a cluster. The script prints "cluster pid" when
# all nodes are idle, with the pid of the controller's process 1, or "failed". The configuration is DIRECTORY/slurm.conf. The cluster
# exists until standard input ends, or the script is killed.
set -euo pipefail

readonly MOUNT_OVER=(/run /root /dev/shm /var/tmp /tmp)
readonly FREEZER=/sys/fs/cgroup/freezer
readonly CONTROLLER=254
readonly READY_SECONDS=20

# However the script ends, all processes end: they are in a PID namespace whose first process is that of the controller. The control
# groups belong to the machine. The script removes their empty directories last.
#
# Slurm in production uses control groups to kill processes that a step leaves. Two clusters would share the groups of nodes with the same
# name, so only one cluster at a time uses groups. All its daemons inherit a lock (not on the directory, which Slurm locks). Without the
# lock, or without a freezer of version 1, Slurm follows parent processes instead.
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
  # /proc is still that of the machine, so this is the pid outside the namespace.
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

# Here a node still sees the controller's processes. Process 1 is in the network namespace with the bridge.
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

# All mounts are prepared on a file system of the node first: the directories to mount over may contain DIRECTORY.
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
  # Daemons that follow parents still look for control groups, and fail if these have a newer version.
  [[ $tracking == cgroup ]] || mount -t tmpfs groups /sys/fs/cgroup
  for path in "${MOUNT_OVER[@]}"; do
    [[ -L $path || ! -d $path ]] || mount --rbind "$own$path" "$path"
  done
  hostname "$name"
}

# Keeps a path of the machine visible if a mount would hide it.
keep() {
  local hidden
  for hidden in "${MOUNT_OVER[@]}"; do
    if [[ $1 == "$hidden"/* ]]; then
      mkdir -p "$2$1"
      mount --rbind "$1" "$2$1"
    fi
  done
}

# munged checks owners of files. It accepts a cluster in which all files belong to root.
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

# A card is any existing device. No process opens it.
cards() {
  local card
  (($3 > 0)) || return 0
  for ((card = 0; card < $3; card++)); do
    [[ -e $1/dev/card$card ]] || mknod "$1/dev/card$card" c 1 3
  done
  printf 'NodeName=n%d Name=gpu Count=%d File=%s/dev/card[0-%d]\n' "$2" "$3" "$1" $(($3 - 1))
}

# rmdir fails for a control group with processes.
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

# Waits 50 ms without starting a program: nothing is ever written to this descriptor.
pause() {
  [[ -n ${nap-} ]] || exec {nap}<> <(:)
  read -rt 0.05 -u "$nap" || true
}

# While bash waits here it reaps orphans, as the first process of a container must.
await_end() {
  while read -r _; do :; done
}

case $1 in
  controller | node) "$@" ;;
  *) start "$@" ;;
esac
