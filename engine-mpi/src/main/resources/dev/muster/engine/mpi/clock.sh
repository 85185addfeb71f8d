# shellcheck shell=sh
# Put before scripts that wait with a time limit. "seconds" is the clock when it was last read.

now() {
  read -r seconds _ </proc/uptime
  seconds=${seconds%.*}
}

# One second more, since the current second may be almost over.
wait_for() {
  now
  until=$((seconds + $1 + 1))
}

is_over() {
  now
  [ "$seconds" -ge "$until" ]
}
