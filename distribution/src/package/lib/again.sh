#!/bin/bash -p
#
# What is looked at when a JVM has ended before the program in it had begun, or was killed; guard.sh and control.sh read this file then.
# shellcheck disable=SC2034 # they use what it sets

# Sets muster_limit to a limit that leaves too little memory for a JVM, in words; empty: there is none.
muster_look_at_memory() {
  local muster_fields=() muster_name='' muster_enough=0
  muster_limit=''
  while read -r -a muster_fields; do
    case ${muster_fields[*]:0:3} in
      'Max address space') muster_name='RLIMIT_AS (ulimit -v)' muster_enough=4194304 ;;
      'Max data size') muster_name='RLIMIT_DATA (ulimit -d)' muster_enough=1048576 ;;
      *) continue ;;
    esac
    [[ ${muster_fields[3]} != *[!0-9]* ]] || continue
    ((muster_fields[3] / 1024 >= muster_enough)) || muster_limit="$muster_name is $((muster_fields[3] / 1024)) KiB"
  done <"/proc/$$/limits"
} 2>/dev/null

# Sets muster_threads where a JVM could not make its threads, in words; empty: it is not that. It says nothing itself of why it has ended
# (DisplayVMOutput), so that one that says it is asked; what it says is for nobody else.
muster_look_at_threads() {
  local muster_word='' muster_asked=() muster_said=''
  muster_leave_class_data_out "$@"
  for muster_word in "${muster_rest[@]}"; do
    case $muster_word in
      -XX:-DisplayVMOutput) muster_word=-XX:+DisplayVMOutput ;;
      -Dmuster.guard=*) continue ;;
    esac
    muster_asked+=("$muster_word")
    [[ $muster_word != dev.muster.Start ]] || break
  done
  # bash ends the script when it cannot fork.
  trap muster_cannot_fork EXIT
  # shellcheck disable=SC2086 # nothing, or -c: without the environment
  muster_said=$(exec ${muster_clean-} "${muster_asked[@]}" --version 2>&1 </dev/null)
  trap - EXIT
  case $muster_said in
    *'native thread'* | *'VM thread'* | *'no thread can be made'*)
      muster_threads="no thread can be made for the launcher's JVM: a limit is reached (ulimit -u, or pids.max of the container)"
      ;;
  esac
}

# Sets muster_killer to what the kernel's memory killer has done in the control group of this shell and its JVM, and under which limit,
# in words; empty: nothing, or nobody knows. How much of that was before, nobody has looked at.
muster_look_at_kills() {
  local muster_kinds muster_group muster_max muster_name muster_word muster_count muster_kills=0 muster_most=''
  muster_killer=''
  while IFS=: read -r _ muster_kinds muster_group; do
    case ,$muster_kinds, in
      ,,) muster_group=/sys/fs/cgroup$muster_group muster_name=memory.events muster_max=memory.max ;;
      *,memory,*)
        muster_group=/sys/fs/cgroup/memory$muster_group muster_name=memory.oom_control muster_max=memory.limit_in_bytes
        ;;
      *) continue ;;
    esac
    muster_group=${muster_group%/}
    # Where the group has another name here, its files are those of the top.
    while [[ $muster_group == /sys/fs/cgroup/* && ! -r $muster_group/$muster_name ]]; do muster_group=${muster_group%/*}; done
    while read -r muster_word muster_count; do
      [[ $muster_word != oom_kill ]] || muster_kills=$((muster_kills + muster_count))
    done <"$muster_group/$muster_name"
    while [[ ! $muster_most && $muster_group == /sys/fs/cgroup* ]]; do
      muster_count=''
      [[ ! -r $muster_group/$muster_max ]] || read -r muster_count <"$muster_group/$muster_max"
      # More digits than any machine has memory: how version 1 writes that there is no limit.
      [[ $muster_count == *[!0-9]* || ${#muster_count} -gt 18 ]] || muster_most=${muster_count:+"$((muster_count / 1024)) KiB, $muster_group/$muster_max"}
      muster_group=${muster_group%/*}
    done
  done </proc/$$/cgroup
  ((muster_kills == 0)) || muster_killer="; that may have been the kernel, which has killed $muster_kills in this container for memory${muster_most:+ (memory limit $muster_most)}"
} 2>/dev/null

# Sets muster_rest to a command without the class data that its JVM reads, and muster_data to what that is, in words; empty: there is none.
muster_leave_class_data_out() {
  local muster_word muster_is_class=''
  muster_data='' muster_rest=()
  for muster_word; do
    if [[ ! $muster_is_class ]]; then
      case $muster_word in
        -XX:AOTCache=* | -XX:SharedArchiveFile=*) continue ;;
        -Dmuster.classdata=*)
          muster_data="its class data ${MUSTER_HOME-}/lib/${muster_word#*=}: remove the file if it is damaged"
          continue
          ;;
        dev.muster.Start) muster_is_class=yes ;;
      esac
    fi
    muster_rest+=("$muster_word")
  done
}
