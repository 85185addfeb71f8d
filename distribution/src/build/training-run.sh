#!/bin/bash
#
# The launch that class data is recorded from: "$@" is the command that starts the launcher. It is a real job of two nodes,
# so that the link to other launchers is in the data, too. Of the one that is recorded, the first, it has all that one node
# has that must start fast: eight cards, a rank table. The other is started without being recorded. One rank fails, since nobody
# wants to wait for a verdict while other ranks hold their cards; a success needs little that is not in it.
set -euo pipefail

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

# One server's entry of the rank table: its number.
server() {
  local card cards=''
  for card in 0 1 2 3 4 5 6 7; do
    cards+="${cards:+,}{\"device_id\":\"$card\",\"device_ip\":\"127.0.$1.$((card + 1))\",\"rank_id\":\"$(($1 * 8 + card))\"}"
  done
  printf '{"server_id":"127.0.%s.1","device":[%s]}' "$1" "$cards"
}
printf '{"version":"1.0","status":"completed","server_count":"2","server_list":[%s,%s]}' "$(server 0)" "$(server 1)" \
  >"$place/table.json"

# What a rank does: $RANK_ID is its number.
# shellcheck disable=SC2016
rank='
if [ "$RANK_ID" != 3 ]; then
  exec sleep 60
fi
printf "%s\n" "Traceback (most recent call last):" "  File \"train.py\", line 1, in <module>" "ValueError: loss is nan" >&2
exit 3'

# node INDEX COMMAND...
node() {
  local index=$1 status=0
  shift
  "$@" --engine ascend --nodes 2 --node-index "$index" --hosts 127.0.0.1,127.0.1.1 --job-id "training-run-$$" \
    --rank-table "$place/table.json" --workdir "$place/work-$index" --log-dir "$place/logs-$index" -- /bin/sh -c "$rank" || status=$?
  ((status == 3))
}

unrecorded=()
for word in "$@"; do
  [[ $word == -XX:AOT* || $word == -XX:DumpLoadedClassList=* ]] || unrecorded+=("$word")
done

# A variable that means nothing makes the launcher ask all of its engines whether it is theirs: their classes are in the data, too.
export MUSTER_CWD=$place MUSTER_HOME=$PWD/.. MUSTER_TRAINING_RUN=yes
node 1 "${unrecorded[@]}" &
other=$!
node 0 "$@"
wait "$other"
