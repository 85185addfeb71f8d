# shellcheck shell=sh disable=SC2154
# The shell under which every rank runs. It keeps on the rank's own host where the rank is and how it ended, since whoever starts
# ranks often tells nobody which of them it was that failed. It only waits: signals go to the whole process group, and are the rank's
# business.
#
# Arguments: the command. What comes before this is the engine's: it sets muster_place, the private directory of this host's launcher,
# and muster_rank, and defines make_ready, what is to be done before the rank begins, and is_decided, whether whoever starts ranks need
# not hear of a failure any more.
#
# Notes are files there: started.RANK holds this shell's pid and when it started, in ticks since the machine did, pid.RANK the rank's own
# pid; ended.RANK holds CODE RANK WHAT: exit code, and the name of a command that was not found, or "refused" with 75; then a line "alone" unless this shell was
# told to end too, as whoever starts ranks tells the whole group. A rank that ends with 0, or after whoever started it, leaves no second
# note. "stopping" is there once the launcher has told ranks to end, and gone.RANK where a rank has ended then and this shell has not.
# The pipe "running" is held open by the shell of every rank that runs, "kept" by the launcher as long as shells are to keep the ends of
# their ranks. Neither is ever written.

# Sets muster_parent, and when this shell started.
look_at_self() {
  read -r muster_stat </proc/$$/stat || return
  # The fields behind the name, which may hold anything.
  # shellcheck disable=SC2086
  set -- ${muster_stat##*) }
  muster_parent=$2
  shift 19
  muster_start=$1
}

started() {
  look_at_self && echo "$$ $muster_start" >"$muster_place/started.$muster_rank"
}

# Called by the shell that becomes the rank, whose number "$$" is not.
note_pid() {
  read -r muster_own _ </proc/self/stat && echo "$muster_own" >"$muster_place/pid.$muster_rank"
}

note_end() {
  muster_end=$muster_alone
  printf '%s %s %s\n%s\n' "$muster_code" "$muster_rank" "$muster_what" "$muster_end"
}

# However this shell ends, also where it can make no process any more, whoever started it gets the rank's code, and the launcher its note.
# shellcheck disable=SC2317 # called by a trap
keep_code() {
  trap - EXIT
  [ -e "$muster_place/ended.$muster_rank" ] || note_end >"$muster_place/ended.$muster_rank"
  exit "$muster_code"
}

# Says that this rank runs, for as long as the descriptor is open.
hold_pipe() {
  muster_pipe=$muster_place/running
  muster_kept=$muster_place/kept
  [ -p "$muster_kept" ] || mkfifo -m 600 "$muster_kept" 2>/dev/null
  [ -p "$muster_pipe" ] || mkfifo -m 600 "$muster_pipe" 2>/dev/null
  [ -p "$muster_pipe" ] && command exec 8<>"$muster_pipe" && muster_holds=yes
}

# Waits for the end of what descriptor 7 reads.
await_end() {
  muster_heard=yes
  # What comes is the end, or a signal has ended the waiting.
  while [ -n "$muster_heard" ]; do
    muster_heard=
    read -r _ <&7
  done
}

# Whoever starts ranks ends the others when it hears that one has failed, and gives them a time of its own: Open MPI's SIGKILL follows its
# SIGTERM after a second, or as soon as one of them has ended, torchrun's after 30 s. The launcher knows from the note, and gives them
# their grace. So this failure is kept here until no other rank of this host runs; those that have failed too count as ended. Not where
# somebody else has ended the whole group of the rank: that is not the launcher's matter before whoever starts ranks has said why.
await_others() {
  [ -n "$muster_holds" ] || return
  trap muster_heard=yes TERM HUP INT QUIT PIPE ALRM USR1 USR2 VTALRM PROF XCPU XFSZ
  exec 7<"$muster_pipe" 8>&-
  await_end
}

# The same for ranks of other hosts, where the launcher knows of them. A launcher that is gone keeps no pipe open.
await_release() {
  [ -n "$muster_holds" ] && [ -p "$muster_kept" ] || return 0
  : >"$muster_place/gone.$muster_rank"
  # Whoever opens it for reading alone waits for somebody who writes.
  command exec 6<>"$muster_kept" && command exec 7<"$muster_kept" 6>&- && await_end
  return 0
}

# Whether whoever started this shell is gone: nobody reads what its rank prints any more, and a rank that prints dies of that (SIGPIPE). That is
# no failure of the rank's, and would be named as the first one: it is seen sooner than how the other has ended.
is_left() {
  look_at_self && [ "$muster_parent" != "$PPID" ]
}

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
make_ready
# Whoever is told to end before the rank has begun does not begin it: nobody would tell that one again. The launcher looks whom to tell after
# it has noted that it does: it has seen who finds no note now.
muster_code=143
if [ -n "$muster_alone" ]; then
  (
    [ ! -e "$muster_place/stopping" ] || exit 143
    note_pid
    become "$@" 2>&9 9>&- 8>&-
  )
  muster_code=$?
fi
trap - EXIT
if [ "$muster_code" -eq 0 ]; then
  # It may have called MPI_Init, and not MPI_Finalize: that is a failure for whoever starts ranks.
  if [ -e "$muster_place/stopping" ]; then
    await_others
    await_release
  fi
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
if is_decided; then
  await_release
  muster_code=0
fi
exit
