# shellcheck shell=sh
# Put before scripts that prepare an MPI: tells whether MPI has no place for its own files, which it needs to start. Then the
# private directory becomes its TMPDIR. MPI makes the last part of the path itself.
has_no_room() {
  muster_room=${TMPDIR:-${TEMP:-${TMP:-/tmp}}}
  [ -e "$muster_room" ] || muster_room=${muster_room%/*}/
  [ -w "$muster_room" ] || return 0
  # The place may be full, of data or of files. Signals are ignored meanwhile, since one would leave the trial there.
  muster_room=$muster_room/muster-room-$$
  (
    trap '' HUP INT TERM
    mkdir -m 700 "$muster_room" 2>/dev/null || exit 0
    { printf '%16384s' '' >"$muster_room/trial"; } 2>/dev/null
    muster_is_full=$?
    rm -r "$muster_room"
    [ "$muster_is_full" -ne 0 ]
  )
}
