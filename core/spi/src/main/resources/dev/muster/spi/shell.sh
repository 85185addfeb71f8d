# shellcheck shell=sh
# The beginning of scripts: what differs between shells.

# With it bash, which alone knows shopt, would not let functions call functions.
! command -v shopt >/dev/null || unset FUNCNEST

# shellcheck disable=SC2034
muster_no_process='no more processes or threads can be started: a limit is reached (ulimit -u, or pids.max of the container)'

# Whether a shell that ends with this code could make no process: it ends at once then, dash with 2, and bash with 254 after it has
# tried again for 15 seconds. So scripts end with neither of themselves.
was_refused() {
  [ "$1" -eq 2 ] || [ "$1" -eq 254 ]
}
