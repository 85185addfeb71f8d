# shellcheck shell=sh
# The beginning of scripts that prepare an MPI: whether it would find no place for its own files, without which none can start;
# then the private directory is its TMPDIR. It makes the last part of the path itself.
has_no_room() {
  muster_room=${TMPDIR:-${TEMP:-${TMP:-/tmp}}}
  [ -e "$muster_room" ] || muster_room=${muster_room%/*}/
  ! [ -w "$muster_room" ]
}
