#!/bin/bash
#
# training-run.sh KIND PACKAGE OPTION...: starts a job with PACKAGE/bin/muster, from which class data is recorded. OPTION... are additional
# options of the JVM. JAVA_HOME is its Java. The kinds are
# nodes: a real job of two nodes, so that the link to other launchers is in the data, too. Only the first node is recorded. It has the
#   properties of a node that must start fast: eight cards and a rank table. One rank fails, since a verdict must come fast while other
#   ranks hold their cards.
# alone: one rank without a platform, which succeeds.
# stopped: two ranks of a rank table in the form of MindX DL, stopped by a signal.
# text: the help, which many users ask for first.
set -euo pipefail

kind=$1 muster=$2/bin/muster
shift 2
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

# pod NUMBER: prints a pod's entry of the rank table, as ModelArts writes it.
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

# The script of a rank: $RANK_ID is its number.
# shellcheck disable=SC2016
rank='
if [ "$RANK_ID" != 3 ]; then
  exec sleep 60
fi
printf "%s\n" "Traceback (most recent call last):" "  File \"train.py\", line 1, in <module>" "ValueError: loss is nan" >&2
exit 3'

# The rank table lists the nodes, so the launcher also looks for all signs of a platform. This file resolves the names of the nodes.
printf '127.0.%s.1 pod-%s\n' 0 0 1 1 >"$place/hosts"

# java_with OPTION...: prints a JAVA_HOME whose java also gets these options.
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

# For an unknown variable the launcher asks all engines whether it is their option, so their classes are in the data, too.
export MUSTER_TRAINING_RUN=yes

# Most callers have a variable with a secret, or with a name like one.
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
  # The ranks send the signal, since they know when they run. The supervisor is their parent, and handles it as a stop.
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
