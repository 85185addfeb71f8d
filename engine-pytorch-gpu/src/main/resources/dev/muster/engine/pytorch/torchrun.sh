# shellcheck shell=sh disable=SC2034,SC2154,SC2317
# The beginning of rank.sh under a torchrun, which lies in the private directory.
muster_place=${0%/*}
muster_rank=${RANK-0}

make_ready() {
  :
}

# When torchrun hears of ranks, all of this node have ended, and it would name any of them as the first that has failed. Those that the
# launcher has ended are none.
is_decided() {
  [ -z "$muster_end" ] && [ -e "$muster_place/stopping" ]
}
