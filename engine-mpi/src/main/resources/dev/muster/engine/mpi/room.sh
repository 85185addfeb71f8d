# shellcheck shell=sh
# The beginning of scripts that prepare an MPI: whether it would find no place for its own files, without which none can start;
# then the private directory is its TMPDIR. It makes the last part of the path itself.
has_no_room() {
  muster_room=${TMPDIR:-${TEMP:-${TMP:-/tmp}}}
  [ -e "$muster_room" ] || muster_room=${muster_room%/*}/
  [ -w "$muster_room" ] || return 0
  # It may be full, of data or of files. A signal meanwhile would leave the trial there.
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
