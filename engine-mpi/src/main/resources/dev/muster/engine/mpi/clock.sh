# shellcheck shell=sh
# The beginning of scripts that wait for something no longer than some seconds. "seconds" is the clock, as of the last look at it.

now() {
  read -r seconds _ </proc/uptime
  seconds=${seconds%.*}
}

# One more, since the second that counts as the first may be about to end.
wait_for() {
  now
  until=$((seconds + $1 + 1))
}

is_over() {
  now
  [ "$seconds" -ge "$until" ]
}
