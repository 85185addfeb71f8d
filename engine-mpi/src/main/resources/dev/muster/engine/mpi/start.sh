# shellcheck shell=sh disable=SC2154
# The shell under which mpirun runs: finds out what can be known only when all hosts are there, and what mpirun's end means. What it
# sets before begins with muster_, since mpirun gives ranks what the shell gives mpirun.
#
# Arguments: private directory, the log of mpirun, whose options it takes ("none", or "none-hydra": nothing is added to them; "openmpi", "openmpi5",
# "hydra"; "horovodrun": it calls ssh itself and cannot be told with which configuration; "horovodrun-interfaces": the same, and it
# has to be told which of the interfaces there are), list of interfaces, file of hosts, the form of the hostfile for resolve or "-",
# seconds for resolve, configuration of ssh or "-", mpirun, its arguments.
muster_private=$1 muster_log=$2 muster_style=$3 muster_interfaces=$4 muster_hosts=$5 muster_form=$6 muster_patience=$7 muster_config=$8
shift 8

# Whether the user tells mpirun where ranks go: the default is "-map-by slot".
muster_mapped=''
# shellcheck disable=SC2034 # end.sh reads it
case " $* " in
  *'-map-by slot '*) ;;
  *-map-by* | *-rank-by* | *-bynode* | *-bysocket* | *-bycore* | *-npersocket*) muster_mapped=yes ;;
esac

# With it bash, which alone knows shopt, would not let functions call functions.
! command -v shopt >/dev/null || unset FUNCNEST

muster_no_process='no more processes or threads can be started: a limit is reached (ulimit -u, or pids.max of the container)'

# A shell that can make no process ends at once.
# shellcheck disable=SC2317 # called by a trap
refused() {
  echo "$muster_no_process" >"$muster_private/why"
  exit 75
}

# Ends as mpirun did: by the same signal, unless that code was a rank's own. A shell that knows no "ulimit -c" ends with the code.
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
  # Open MPI takes one of both, and then waits for ever.
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

# Such a shell also has what it starts in the background ignore SIGQUIT.
start() {
  ! env --default-signal=QUIT true 2>/dev/null || set -- env --default-signal=QUIT "$@"
  run "$@"
}

call_ssh_with_configuration() {
  [ "$muster_config" != - ] || return
  mkdir "$muster_private/bin"
  # What ssh is told first counts: horovodrun would have it trust anybody.
  printf '#!/bin/sh\nexec "%s" -F "%s" -o StrictHostKeyChecking=yes "$@"\n' \
    "$(command -v ssh)" "$muster_config" >"$muster_private/bin/ssh"
  chmod 700 "$muster_private/bin/ssh"
  [ -x "$muster_private/bin/ssh" ] ||
    { echo "no program may be run in $muster_private. Set XDG_RUNTIME_DIR to a place that is not mounted noexec" >"$muster_private/why" && finish 78; }
  export PATH="$muster_private/bin:$PATH"
}

# In the background, so that a signal is heeded at once. A shell gives what it starts there no input of its own.
run() {
  exec 3<&0
  "$@" <&3 3<&- &
  muster_child=$! muster_code=
  [ -z "$muster_session" ] || printf '%s/pid.%s\n%s/\n' "$muster_session" "$muster_child" "$muster_session" >>"$muster_private/elsewhere"
  while :; do
    muster_interrupted=
    # bash tells on this output how a process in the background was killed.
    { wait "$muster_child"; } 2>/dev/null
    muster_waited=$?
    # After a signal the end may have been told already.
    [ "$muster_waited" -eq 127 ] && [ -n "$muster_code" ] || muster_code=$muster_waited
    [ -n "$muster_interrupted" ] || return 0
    # It is still there, so that this was not its code.
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

# mpirun passes signals of the user on to all ranks.
muster_child='' muster_interrupted='' muster_stopped='' muster_include='' muster_session=''
trap 'muster_interrupted=yes muster_stopped=yes' HUP INT
trap 'muster_stopped=yes; pass_on TERM' TERM
trap 'pass_on USR1' USR1
trap 'pass_on USR2' USR2
trap refused EXIT # before the first process

# A log that is no file is not written, and reading a pipe would take for ever.
[ -f "$muster_log" ] || [ ! -e "$muster_log" ] || muster_log=/dev/null
# Of what an earlier run has left in the log, nothing counts.
# shellcheck disable=SC2034 # end.sh reads it
muster_begin=$(($(wc -c 2>/dev/null <"$muster_log" || echo 0) + 1))

if [ "$muster_form" != - ]; then
  run resolve "$muster_private" "$muster_hosts" "$muster_form" "$muster_patience"
  case $muster_code in
    0) ;;
    2 | 254) exit ;; # by that trap
    *) finish "$muster_code" ;;
  esac
  muster_hosts=$muster_private/places
fi
case $muster_style in
  openmpi*) muster_include=$(interfaces "$muster_private" "$muster_interfaces" "$muster_hosts" any) ;;
  hydra | horovodrun-interfaces) muster_include=$(interfaces "$muster_private" "$muster_interfaces" "$muster_hosts" names) ;;
esac
case $muster_style in horovodrun*) call_ssh_with_configuration ;; esac
# No other host has a variable of this name that horovodrun might replace.
[ ! -e "$muster_private/rank.sh" ] || {
  export MUSTER_RANKS_HERE="$muster_private"
  : >"$muster_private/stopping.failed"
}
! has_no_room || export TMPDIR="$muster_private"
# Open MPI 4 leaves it when it is killed. Where ranks run beside it they list it themselves.
case $muster_style in
  openmpi) [ -e "$muster_private/rank.sh" ] || muster_session=${TMPDIR:-/tmp}/ompi.$(uname -n | sed 's/[.].*//').$(id -u) ;;
esac
is_stopped && finish 143
if [ -n "$muster_include" ]; then add "$@"; else start "$@"; fi
[ "$muster_code" -eq 0 ] || is_stopped || explain
finish "$muster_code"
