#!/bin/bash
#
# training-run.sh KIND PACKAGE OPTION...: a launch by PACKAGE/bin/muster that class data is recorded from. The JVM gets OPTION... besides
# its usual ones. JAVA_HOME says which JVM. Kinds are
# nodes: a real job of two nodes, so that the link to other launchers is in the data, too. Of the one that is recorded, the first, it has
#   all that one node has that must start fast: eight cards, a rank table. The other is started without being recorded. One rank
#   fails, since nobody wants to wait for a verdict while other ranks hold their cards.
# alone: a rank without any platform, which succeeds.
# stopped: two ranks of a rank table as MindX DL writes it, stopped by a signal.
# text: the help, as the first thing that many ask for.
set -euo pipefail

kind=$1 muster=$2/bin/muster
shift 2
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

# One pod's entry of the rank table, as ModelArts writes it: its number.
pod() {
  local card cards=''
  for card in 0 1 2 3 4 5 6 7; do
    cards+="${cards:+,}{\"device_id\":\"$card\",\"device_ip\":\"127.0.$1.$((card + 1))\"}"
  done
  printf '{"pod_name":"pod-%s","server_id":"127.0.%s.1","devices":[%s]}' "$1" "$1" "$cards"
}
printf '{"status":"completed","group_count":"1","group_list":[{"group_name":"pod","device_count":"16","instance_count":"2",' \
  >"$place/jobstart_hccl.json"
printf '"instance_list":[%s,%s]}]}' "$(pod 0)" "$(pod 1)" >>"$place/jobstart_hccl.json"

printf '{"status":"completed","version":"1.0","server_count":"1","server_list":[{"server_id":"127.0.0.1","device":[%s,%s]}]}' \
  '{"device_id":"0","device_ip":"127.0.0.2","rank_id":"0"}' '{"device_id":"1","device_ip":"127.0.0.3","rank_id":"1"}' >"$place/hccl.json"

# What a rank does: $RANK_ID is its number.
# shellcheck disable=SC2016
rank='
if [ "$RANK_ID" != 3 ]; then
  exec sleep 60
fi
printf "%s\n" "Traceback (most recent call last):" "  File \"train.py\", line 1, in <module>" "ValueError: loss is nan" >&2
exit 3'

# The table tells the nodes, so that all signs of a platform are looked for, too; its names need nobody who knows them.
printf '127.0.%s.1 pod-%s\n' 0 0 1 1 >"$place/hosts"

# java_with OPTION...: prints a JAVA_HOME whose java gets these, too.
java_with() {
  local home
  home=$(mktemp -d "$place/java.XXXXXX")
  mkdir "$home/bin"
  {
    printf '#!/bin/bash\nexec'
    printf ' %q' "$JAVA_HOME/bin/java" "$@"
    printf ' "$@"\n'
  } >"$home/bin/java"
  chmod +x "$home/bin/java"
  printf '%s\n' "$home"
}

# node INDEX OPTION...
node() {
  local index=$1 status=0
  shift
  JAVA_HOME=$(java_with "-Djdk.net.hosts.file=$place/hosts" "$@") MA_CURRENT_INSTANCE_NAME=pod-$index MA_CURRENT_HOST_IP=127.0.$index.1 \
    "$muster" --engine ascend --job-id "training-run-$$" --workdir "$place/work-$index" --log-dir "$place/logs-$index" -- \
    /bin/sh -c "$rank" || status=$?
  ((status == 3))
}

# A variable that means nothing makes the launcher ask all of its engines whether it is theirs: their classes are in the data, too.
export MUSTER_TRAINING_RUN=yes

# Most callers have something to hide, or what could be.
export TRAINING_RUN_TOKEN='not a secret' TRAINING_RUN_MAX_TOKENS=1

nodes() {
  local word unrecorded=()
  for word in "$@"; do
    [[ $word == -XX:AOT* || $word == -XX:DumpLoadedClassList=* ]] || unrecorded+=("$word")
  done
  export MA_VJ_NAME=training-run-$$ MA_MOUNT_PATH=$place/mount RANK_TABLE_FILE=$place
  node 1 "${unrecorded[@]}" &
  node 0 "$@"
  wait "$!"
}

alone() {
  JAVA_HOME=$(java_with "$@") "$muster" --engine pytorch-gpu --log-dir "$place/logs" -- /bin/sh -c 'echo "epoch 1"'
}

stopped() {
  local status=0
  # By the ranks themselves, which know when they run: the supervisor is their parent, and passes on what it gets.
  # shellcheck disable=SC2016
  JAVA_HOME=$(java_with "$@") "$muster" --engine ascend --rank-table "$place/hccl.json" --job-id "training-run-$$" \
    --log-dir "$place/logs" -- sh -c 'kill "$PPID"; exec sleep 60' || status=$?
  ((status == 143))
}

text() {
  JAVA_HOME=$(java_with "$@") "$muster" --help >/dev/null
}

cd "$place"
"$kind" "$@"
