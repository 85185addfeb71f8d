# shellcheck shell=sh disable=SC2154
# The shell that runs mpirun. It finds the facts that need all hosts, and the reason of mpirun's end. Its variables begin with muster_
# until mpirun has started, since mpirun passes the shell's variables on to ranks.
#
# Arguments: private directory, the log of mpirun, family of its options ("none" or "none-hydra": nothing is added; "openmpi", "openmpi5",
# "hydra"; "horovodrun": it calls ssh itself, and has no option for ssh's configuration; "horovodrun-interfaces": the same, and
# the existing interfaces are added), list of interfaces, file of hosts, the form of the hostfile for resolve or "-", seconds for
# resolve, configuration of ssh or "-", mpirun, its arguments.
muster_private=$1 muster_log=$2 muster_style=$3 muster_interfaces=$4 muster_hosts=$5 muster_form=$6 muster_patience=$7 muster_config=$8
shift 8

# Whether the user gives mpirun another mapping of ranks than the default, "-map-by slot".
muster_mapped=''
# shellcheck disable=SC2034 # end.sh reads it
case " $* " in
  *'-map-by slot '*) ;;
  *-map-by* | *-rank-by* | *-bynode* | *-bysocket* | *-bycore* | *-npersocket*) muster_mapped=yes ;;
esac

# With FUNCNEST bash would not let functions call functions. Only bash knows shopt.
! command -v shopt >/dev/null || unset FUNCNEST

muster_no_process='no more processes or threads can be started: a limit is reached (ulimit -u, or pids.max of the container)'

# A shell that cannot fork ends at once.
# shellcheck disable=SC2317 # called by a trap
refused() {
  echo "$muster_no_process" >"$muster_private/why"
  exit 75
}

# Ends as mpirun did: by the same signal, unless a rank ended with that code. A shell without "ulimit -c" ends with the code.
# shellcheck disable=SC3045
finish() {
  trap - EXIT HUP INT TERM USR1 USR2
  case ${why-} in
    *'exit code'*) ;;
    *) [ "$1" -le 128 ] || { ulimit -c 0 && kill "-$(($1 - 128))" $$; } 2>/dev/null ;;
  esac
  exit "$1"
}

add() {
  # With include and exclude Open MPI uses one of them, and then waits forever.
  unset OMPI_MCA_btl_tcp_if_exclude OMPI_MCA_oob_tcp_if_exclude PRTE_MCA_oob_tcp_if_exclude
  muster_program=$1
  shift
  case $muster_style in
    openmpi) set -- -mca btl_tcp_if_include "$muster_include" -mca oob_tcp_if_include "$muster_include" "$@" ;;
    openmpi5) set -- --mca btl_tcp_if_include "$muster_include" --prtemca oob_tcp_if_include "$muster_include" "$@" ;;
    horovodrun-interfaces) set -- --network-interface "$muster_include" "$@" ;;
    hydra) set -- -iface "${muster_include%%,*}" "$@" ;;
  esac
  start "$muster_program" "$@"
}

# A background process of such a shell ignores SIGQUIT, unless env restores the default.
start() {
  ! env --default-signal=QUIT true 2>/dev/null || set -- env --default-signal=QUIT "$@"
  run "$@"
}

call_ssh_with_configuration() {
  [ "$muster_config" != - ] || return
  mkdir "$muster_private/bin"
  # ssh uses the first value of an option: horovodrun adds one that would trust any host.
  printf '#!/bin/sh\nexec "%s" -F "%s" -o StrictHostKeyChecking=yes "$@"\n' \
    "$(command -v ssh)" "$muster_config" >"$muster_private/bin/ssh"
  chmod 700 "$muster_private/bin/ssh"
  [ -x "$muster_private/bin/ssh" ] ||
    { echo "no program may be run in $muster_private. Set XDG_RUNTIME_DIR to a place that is not mounted noexec" >"$muster_private/why" && finish 78; }
  export PATH="$muster_private/bin:$PATH"
}

# Runs in the background, so that the traps run at once. A shell would give a background process no standard input.
run() {
  exec 3<&0
  "$@" <&3 3<&- &
  muster_child=$! muster_code=
  [ -z "$muster_session" ] || printf '%s/pid.%s\n%s/\n' "$muster_session" "$muster_child" "$muster_session" >>"$muster_private/elsewhere"
  while :; do
    muster_interrupted=
    # bash prints to this output how a background process was killed.
    { wait "$muster_child"; } 2>/dev/null
    muster_waited=$?
    # After a signal, an earlier wait may have returned the code already.
    [ "$muster_waited" -eq 127 ] && [ -n "$muster_code" ] || muster_code=$muster_waited
    [ -n "$muster_interrupted" ] || return 0
    # The process still runs, so this was not its code.
    ! kill -s 0 "$muster_child" 2>/dev/null || muster_code=
  done
}

is_stopped() {
  [ -n "$muster_stopped" ] || [ -e "$muster_private/stopping" ]
}

# shellcheck disable=SC2317 # called by a trap
pass_on() {
  muster_interrupted=yes
  [ -z "$muster_child" ] || kill -s "$1" "$muster_child" 2>/dev/null
}

# mpirun passes user signals on to all ranks.
muster_child='' muster_interrupted='' muster_stopped='' muster_include='' muster_session=''
trap 'muster_interrupted=yes muster_stopped=yes' HUP INT
trap 'muster_stopped=yes; pass_on TERM' TERM
trap 'pass_on USR1' USR1
trap 'pass_on USR2' USR2
trap refused EXIT # before the first fork

# The launcher writes no log that is not a regular file, and reading a pipe would take forever.
[ -f "$muster_log" ] || [ ! -e "$muster_log" ] || muster_log=/dev/null
# Text that an earlier run has left in the log does not count.
# shellcheck disable=SC2034 # end.sh reads it
muster_begin=$(($(wc -c 2>/dev/null <"$muster_log" || echo 0) + 1))

if [ "$muster_form" != - ]; then
  run resolve "$muster_private" "$muster_hosts" "$muster_form" "$muster_patience"
  case $muster_code in
    0) ;;
    2 | 254) exit ;; # through that trap
    *) finish "$muster_code" ;;
  esac
  muster_hosts=$muster_private/places
fi
case $muster_style in
  openmpi*) muster_include=$(interfaces "$muster_private" "$muster_interfaces" "$muster_hosts" any) ;;
  hydra | horovodrun-interfaces) muster_include=$(interfaces "$muster_private" "$muster_interfaces" "$muster_hosts" names) ;;
esac
case $muster_style in horovodrun*) call_ssh_with_configuration ;; esac
# No other host has a variable of this name, which horovodrun might replace.
[ ! -e "$muster_private/rank.sh" ] || {
  export MUSTER_RANKS_HERE="$muster_private"
  : >"$muster_private/stopping.failed"
}
! has_no_room || export TMPDIR="$muster_private"
# Open MPI 4 leaves its session directory when it is killed. Ranks on this host list the directory themselves.
case $muster_style in
  openmpi) [ -e "$muster_private/rank.sh" ] || muster_session=${TMPDIR:-/tmp}/ompi.$(uname -n | sed 's/[.].*//').$(id -u) ;;
esac
is_stopped && finish 143
if [ -n "$muster_include" ]; then add "$@"; else start "$@"; fi
[ "$muster_code" -eq 0 ] || is_stopped || explain
finish "$muster_code"
