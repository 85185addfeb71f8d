#!/bin/bash
#
# The launch that class data is recorded from: "$@" is the command that starts the launcher. It is a real job, of the
# kind that must start fast: one node, eight cards, a rank table.
set -euo pipefail

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

cards=''
for card in 0 1 2 3 4 5 6 7; do
  cards+="${cards:+,}{\"device_id\":\"$card\",\"device_ip\":\"127.0.0.$((card + 1))\",\"rank_id\":\"$card\"}"
done
printf '%s' "{\"version\":\"1.0\",\"status\":\"completed\",\"server_count\":\"1\",\"server_list\":[" \
  "{\"server_id\":\"127.0.0.1\",\"device\":[$cards]}]}" >"$place/table.json"

export MUSTER_CWD=$place MUSTER_HOME=$PWD/..
"$@" --engine ascend --rank-table "$place/table.json" --workdir "$place/work" --log-dir "$place/logs" -- /bin/true
