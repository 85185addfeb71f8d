# The shell under which mpirun runs: finds out what can be known only when all hosts are there, hands signals on, and has end.sh
# find out what mpirun's end means. What it sets itself begins with muster_, since mpirun gives ranks what the shell gives mpirun.
#
# Arguments: private directory, the log of mpirun, whose options it takes ("none": nothing is added to them; "openmpi", "openmpi5",
# "hydra"; "horovodrun": it calls ssh itself and cannot be told with which configuration; "horovodrun-interfaces": the same, and it
# has to be told which of the interfaces there are), list of interfaces, file of hosts, the form of the hostfile for resolve.sh or
# "-", seconds for resolve.sh, configuration of ssh or "-", mpirun, its arguments.
muster_private=$1 muster_log=$2 muster_style=$3 muster_interfaces=$4 muster_hosts=$5 muster_form=$6 muster_patience=$7 muster_config=$8
shift 8

# A shell that can make no process ends at once.
# shellcheck disable=SC2154,SC2317 # called by a trap
refused() {
  trap - EXIT
  echo "$muster_no_process" >"$muster_private/why"
  exit 75
}

finish() {
  trap - EXIT
  exit "$1"
}

add() {
  muster_program=$1
  shift
  case $muster_style in
    openmpi) set -- -mca btl_tcp_if_include "$muster_include" -mca oob_tcp_if_include "$muster_include" "$@" ;;
    openmpi5) set -- --mca btl_tcp_if_include "$muster_include" --prtemca oob_tcp_if_include "$muster_include" "$@" ;;
    horovodrun-interfaces) set -- --network-interface "$muster_include" "$@" ;;
    hydra) set -- -iface "${muster_include%%,*}" "$@" ;;
  esac
  run "$muster_program" "$@"
}

call_ssh_with_configuration() {
  [ "$muster_config" != - ] || return
  mkdir "$muster_private/bin"
  # What ssh is told first counts: horovodrun would have it trust anybody.
  printf '#!/bin/sh\nexec "%s" -F "%s" -o StrictHostKeyChecking=yes "$@"\n' \
    "$(command -v ssh)" "$muster_config" >"$muster_private/bin/ssh"
  chmod 700 "$muster_private/bin/ssh"
  export PATH="$muster_private/bin:$PATH"
}

# In the background, so that signals are passed on at once. A shell gives what it starts there neither its
# input nor SIGQUIT, which env gives back where it can.
run() {
  ! env --default-signal=QUIT true 2>/dev/null || set -- env --default-signal=QUIT "$@"
  exec 3<&0
  (become "$@" 3<&-) <&3 &
  muster_child=$! muster_code=
  note_session
  while :; do
    muster_interrupted=
    # bash tells on this output how a process in the background was killed.
    { wait "$muster_child"; } 2>/dev/null
    muster_waited=$?
    # After a signal the end may have been told already.
    [ "$muster_waited" -eq 127 ] && [ -n "$muster_code" ] || muster_code=$muster_waited
    [ -n "$muster_interrupted" ] || break
    # It is still there, so that this was not its code.
    ! kill -s 0 "$muster_child" 2>/dev/null || muster_code=
  done
}

# Where Open MPI's mpirun puts its own files, by its pid. When it is killed they go with the private directory, whose file "elsewhere"
# lists them; ranks add what only they know.
note_session() {
  muster_host=$(uname -n) muster_uid=$(id -u)
  for muster_name in "$muster_host" "${muster_host%%.*}"; do
    muster_session=${OMPI_MCA_orte_tmpdir_base:-${TMPDIR:-${TEMP:-${TMP:-/tmp}}}}/ompi.$muster_name.$muster_uid
    printf '%s\n' "$muster_session/pid.$muster_child" "$muster_session/"
  done 2>/dev/null >>"$muster_private/elsewhere"
}

# shellcheck disable=SC2317
pass_on() {
  muster_interrupted=yes
  [ -z "$muster_child" ] || kill -s "$1" "$muster_child" 2>/dev/null
}

# A signal to the process group reaches mpirun too, which knows what to do with it; this shell only waits.
# Those of the user come to this shell alone; mpirun passes them on to all ranks.
muster_child='' muster_interrupted='' muster_stopped='' muster_include=''
trap 'muster_interrupted=yes muster_stopped=yes' HUP INT TERM
trap 'pass_on USR1' USR1
trap 'pass_on USR2' USR2
trap refused EXIT # before the first process

# A log that is no file is not written, and reading a pipe would take for ever.
[ -f "$muster_log" ] || [ ! -e "$muster_log" ] || muster_log=/dev/null

# Of what an earlier run has left in the log, nothing counts.
muster_begin=$(($(wc -c 2>/dev/null <"$muster_log" || echo 0) + 1))

if [ "$muster_form" != - ]; then
  # On a stop this shell waits for the ranks of all hosts. There are none yet, so who finds out where they shall be goes as one.
  OMPI_COMM_WORLD_RANK=none /bin/sh "$muster_private/resolve.sh" "$muster_private" "$muster_hosts" "$muster_form" \
    "$muster_patience" || finish $?
  muster_hosts=$muster_private/places
fi
case $muster_style in
  openmpi | openmpi5) muster_kind=any ;;
  *) muster_kind=names ;;
esac
case $muster_style in
  none | horovodrun) ;;
  *)
    muster_include=$(/bin/sh "$muster_private/interfaces.sh" "$muster_private" "$muster_interfaces" "$muster_hosts" "$muster_kind")
    ;;
esac
case $muster_style in horovodrun*) call_ssh_with_configuration ;; esac
export MUSTER_RANKS="$muster_private"
! has_no_room || export TMPDIR="$muster_private"
if [ -n "$muster_include" ]; then
  add "$@"
else
  run "$@"
fi
if [ "$muster_code" -ne 0 ] && [ -z "$muster_stopped" ]; then
  muster_code=$(exec /bin/sh "$muster_private/end.sh" "$muster_private" "$muster_hosts" "$muster_code" "$muster_log" \
    "$muster_begin" "$muster_style") || refused
fi
finish "$muster_code"
