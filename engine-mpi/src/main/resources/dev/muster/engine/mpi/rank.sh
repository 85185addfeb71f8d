# The shell under which every rank runs. It keeps on the rank's own host where the rank is and how it ended, since mpirun often
# tells nobody which rank it was that failed. It only waits: signals go to the whole process group, and are the rank's business.
#
# Arguments: the command. MUSTER_RANKS is the private directory of this host's launcher.
#
# Notes are files there: started.RANK holds this shell's pid and when it started, in ticks since the machine did; ended.RANK holds
# CODE RANK WHAT: exit code, and the name of a command that was not found, or "refused" with 75; then a line "alone" unless this shell was
# told to end too, as whoever starts ranks tells the whole group. A rank that ends with 0, or after whoever started it, leaves no second
# note. "stopping" is there once the launcher has told ranks to end, "decided" once all launchers know that the job ends without success.
# The pipe "running" is held open by the shell of every rank that runs, and never written.
muster_place=$MUSTER_RANKS
unset MUSTER_RANKS
muster_rank=${OMPI_COMM_WORLD_RANK-${PMIX_RANK-${PMI_RANK-0}}}

started() {
  read -r muster_stat </proc/$$/stat || return
  # The fields behind the name, which may hold anything.
  # shellcheck disable=SC2086
  set -- ${muster_stat##*) }
  shift 19
  echo "$$ $1" >"$muster_place/started.$muster_rank"
}

# What Open MPI has outside of that directory, and leaves when it is killed, goes with it: the file "elsewhere" lists it.
note_session() {
  muster_session=${OMPI_MCA_orte_jobfam_session_dir-${PMIX_SERVER_TMPDIR-}}
  case $muster_session in
    "$muster_place"/* | *[!/A-Za-z0-9._+-]*) return ;;
    /*/ompi.*/*) printf '%s\n' "$muster_session" "${muster_session%/*}/" ;;
    /*/prte*.*) printf '%s\n' "$muster_session" ;;
  esac >>"$muster_place/elsewhere"
}

# Shared memory gets a directory of the run's own beside the usual place, unless the user has chosen another.
share() {
  case $muster_place in */muster-*) ;; *) return ;; esac
  muster_chosen=${HOME-}/.openmpi/mca-params.conf
  [ ! -f "$muster_chosen" ] || ! grep -q backing_directory "$muster_chosen" || return 0
  muster_shared=/dev/shm/${muster_place##*/}
  [ "$muster_shared" != "$muster_place" ] || muster_shared=$muster_place/shm
  if [ ! -d "$muster_shared" ]; then
    echo "$muster_shared" >>"$muster_place/elsewhere"
    mkdir -m 700 "$muster_shared" 2>/dev/null
  fi
  # Somebody else may have been quicker.
  [ -d "$muster_shared" ] && [ ! -L "$muster_shared" ] && [ -O "$muster_shared" ] && [ -w "$muster_shared" ] || return 0
  export OMPI_MCA_btl_vader_backing_directory="${OMPI_MCA_btl_vader_backing_directory-$muster_shared}"
  export OMPI_MCA_btl_sm_backing_directory="${OMPI_MCA_btl_sm_backing_directory-$muster_shared}"
  export OMPI_MCA_osc_sm_backing_directory="${OMPI_MCA_osc_sm_backing_directory-$muster_shared}"
  export OMPI_MCA_osc_rdma_backing_directory="${OMPI_MCA_osc_rdma_backing_directory-$muster_shared}"
}

note_end() {
  muster_end=$muster_alone
  printf '%s %s %s\n%s\n' "$muster_code" "$muster_rank" "$muster_what" "$muster_end"
}

# However this shell ends, also where it can make no process any more, mpirun gets the rank's code, and the launcher its note.
# shellcheck disable=SC2317 # called by a trap
keep_code() {
  trap - EXIT
  [ -e "$muster_place/ended.$muster_rank" ] || note_end >"$muster_place/ended.$muster_rank"
  exit "$muster_code"
}

# Says that this rank runs, for as long as the descriptor is open.
hold_pipe() {
  muster_pipe=$muster_place/running
  [ -p "$muster_pipe" ] || mkfifo -m 600 "$muster_pipe" 2>/dev/null
  [ -p "$muster_pipe" ] && command exec 8<>"$muster_pipe" && muster_holds=yes
}

# Whoever starts ranks ends the others when it hears that one has failed, and gives them next to no time: Open MPI's SIGKILL follows its
# SIGTERM after a second, or as soon as one of them has ended. The launcher knows from the note, and gives them their grace. So this
# failure is kept here until no other rank of this host runs; those that have failed too count as ended. Not where somebody else has
# ended the whole group of the rank: that is not the launcher's matter before whoever starts ranks has said why.
await_others() {
  [ -n "$muster_holds" ] || return
  trap muster_heard=yes TERM HUP INT QUIT PIPE ALRM USR1 USR2 VTALRM PROF XCPU XFSZ
  exec 7<"$muster_pipe" 8>&-
  muster_heard=yes
  # What comes is the end, or a signal has ended the waiting.
  while [ -n "$muster_heard" ]; do
    muster_heard=
    read -r _ <&7
  done
}

# Whether whoever started this shell is gone: nobody reads what its rank prints any more, and a rank that prints dies of that (SIGPIPE). That is
# no failure of the rank's, and would be named as the first one: it is seen sooner than how the other has ended.
is_left() {
  read -r muster_stat </proc/$$/stat || return
  # shellcheck disable=SC2086
  set -- ${muster_stat##*) }
  [ "$2" != "$PPID" ]
}

# Whoever starts ranks would still end those of other hosts, and Open MPI sleeps for two seconds even when nobody is left. Where mpirun
# itself runs, which start.sh shows, the launcher has decided how the job ends once it stops ranks, whatever mpirun ends with. On other
# hosts mpirun might end, and well, before its launcher has heard of the end.
is_decided() {
  muster_note=decided
  [ ! -e "$muster_place/start.sh" ] || muster_note=stopping
  muster_tries=40
  until [ -e "$muster_place/$muster_note" ]; do
    [ "$muster_tries" -gt 0 ] && [ -d "$muster_place" ] && sleep 0.05 || return
    muster_tries=$((muster_tries - 1))
  done
}

# Where Open MPI tells a rank its command, it shall be the rank's own.
if [ -n "${OMPI_COMMAND-}" ]; then
  muster_program=$1
  OMPI_COMMAND=${1##*/}
  shift
  OMPI_ARGV=$*
  set -- "$muster_program" "$@"
  [ -n "$OMPI_ARGV" ] || unset OMPI_ARGV
fi
# Of the interfaces that were listed, MPI gets those that this host has; node 0 does not know them.
if [ -n "${OMPI_COMM_WORLD_RANK-}" ] && [ -s "$muster_place/interfaces" ]; then
  read -r OMPI_MCA_btl_tcp_if_include <"$muster_place/interfaces"
  export OMPI_MCA_btl_tcp_if_include
fi
# A shell that can make no process ends at once. So the note is written here as it is.
# shellcheck disable=SC2317 # called by a trap
refused() {
  trap - EXIT
  printf '75 %s refused\n%s\n' "$muster_rank" "$muster_alone" >"$muster_place/ended.$muster_rank"
  exit 75
}

muster_alone=alone
trap muster_alone= TERM
trap : HUP INT QUIT PIPE ALRM USR1 USR2 VTALRM PROF XCPU XFSZ
# What the shell itself says of the rank's end belongs to nobody's output.
exec 9>&2 2>/dev/null
trap refused EXIT
started
muster_holds=
hold_pipe
if [ -n "${OMPI_COMM_WORLD_RANK-}" ]; then
  [ "${OMPI_COMM_WORLD_LOCAL_RANK-0}" != 0 ] || note_session
  share
fi
# Whoever is told to end before the rank has begun does not begin it: nobody would tell that one again. The launcher looks whom to tell after
# it has noted that it does: it has seen who finds no note now.
muster_code=143
if [ -n "$muster_alone" ]; then
  (
    [ ! -e "$muster_place/stopping" ] || exit 143
    become "$@" 2>&9 9>&- 8>&-
  )
  muster_code=$?
fi
trap - EXIT
if [ "$muster_code" -eq 0 ]; then
  # It may have called MPI_Init, and not MPI_Finalize: that is a failure for whoever starts ranks.
  [ ! -e "$muster_place/stopping" ] || await_others
  exit 0
fi
! is_left || exit "$muster_code"
muster_what=
# The shell that was to become the rank may have said already that it could not.
if [ "$muster_code" -eq 75 ] && [ -e "$muster_place/ended.$muster_rank" ]; then
  read -r _ _ muster_what <"$muster_place/ended.$muster_rank"
  [ "$muster_what" != refused ] || exit 75
  muster_what=
fi
trap keep_code EXIT
if [ "$muster_code" -eq 127 ] && [ -z "$(command -v -- "$1")" ]; then
  muster_what=$(printf '%s' "$1" | tr -c '[:print:]' '?')
fi
note_end >"$muster_place/new.$muster_rank" && mv "$muster_place/new.$muster_rank" "$muster_place/ended.$muster_rank" || exit
[ -n "$muster_end" ] || [ -e "$muster_place/stopping" ] || exit
await_others
! is_decided || muster_code=0
exit
