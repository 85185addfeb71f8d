#!/bin/bash -p
#
# What bin/muster does for "muster stop" and "muster ps" alone; it reads this file. These may run where a limit is reached, as in the
# preStop hook of a container that is full: then a stop is all that this shell can do, by a signal, without starting any process.

# Runs the program. There is nothing that a guard could do for it but to begin again: a signal ends it as it ends any program. Never returns.
muster_control() {
  muster_run "$@"
  case $muster_status in
    1 | 134 | 135 | 139) muster_do_without "$@" ;; # as a JVM ends, and never the program
  esac
  exit "$muster_status"
}

# Does without class data that has killed the JVM, or without a JVM where a limit leaves no memory for one.
muster_do_without() {
  # shellcheck source=/dev/null
  . ./again.sh
  muster_look_at_memory
  # shellcheck disable=SC2154 # again.sh sets these
  if [[ $muster_limit ]]; then
    while [[ $1 != dev.muster.Start ]]; do shift; done
    muster_full="$muster_limit, too little for a JVM"
    [[ $2 == stop ]] || muster_refuse 78 "$muster_full. Raise it"
    shift 2
    muster_stop_by_signal "$@"
  fi
  muster_leave_class_data_out "$@"
  # shellcheck disable=SC2154
  if [[ $muster_data && ! $muster_stop && $muster_status != 1 ]]; then
    muster_print "warning: the JVM was killed by a signal (exit status $muster_status). It is started again without $muster_data"
    muster_run "${muster_rest[@]}"
  fi
}

# Sets muster_status to what a program ends with, to which signals are passed on.
muster_run() {
  local muster_name muster_interrupted
  muster_pid=''
  trap 'muster_refuse 75 "no process can be started here: a limit is reached (ulimit -u, or pids.max of the container)"' EXIT
  (
    trap - EXIT TERM INT HUP QUIT USR1 USR2
    exec -c /usr/bin/env LC_ALL=C.UTF-8 "$@"
  ) <&0 &
  muster_pid=$!
  trap - EXIT
  for muster_name in TERM INT HUP QUIT USR1 USR2; do
    # shellcheck disable=SC2064
    trap "muster_pass_on $muster_name" "$muster_name"
  done
  for muster_name in "${muster_early[@]}"; do muster_pass_on "$muster_name"; done
  muster_early=()
  while :; do
    muster_interrupted=''
    # bash tells on this output how a process in the background was killed.
    { wait "$muster_pid"; } 2>/dev/null
    muster_status=$?
    [[ $muster_interrupted ]] || break
  done
}

muster_pass_on() {
  muster_interrupted=yes
  case $1 in TERM | INT | HUP) muster_stop=$1 ;; esac
  kill -s "$1" "$muster_pid" 2>/dev/null
}

# Goes on where a JVM has room for its threads. Where it has not, it stops launchers itself, and ends.
muster_look_for_room() {
  muster_needed=19 muster_full=''
  # shellcheck disable=SC2317 # called by muster_check_room
  muster_require_room() {
    [[ $muster_max && $muster_used && $muster_max$muster_used != *[!0-9]* ]] || return 0
    ((muster_max - muster_used >= muster_needed)) || muster_full="$1 is $muster_max, and $muster_used are there already"
  }
  muster_check_room
  [[ $muster_full ]] || return 0
  if [[ $1 != stop ]]; then
    muster_print "exit 75: there is no room for this program: $muster_full"
    exit 75
  fi
  trap - TERM INT HUP QUIT USR1 USR2
  shift
  muster_stop_by_signal "$@"
}

# Sets muster_start to when a process started, in ticks; empty when there is none.
muster_look_at() {
  local muster_line='' muster_fields=()
  muster_start=''
  IFS= read -r -d '' muster_line <"/proc/$1/stat"
  # shellcheck disable=SC2206
  muster_fields=(${muster_line##*) })
  case ${muster_fields[0]-X} in Z | X) return ;; esac
  muster_start=${muster_fields[19]-}
} 2>/dev/null

muster_is_there() {
  muster_look_at "${1%% *}"
  [[ $muster_start && $muster_start == "${1##* }" ]]
}

# Adds the launcher of a warden to muster_jobs, muster_launchers, muster_guards, muster_wardens and muster_graces; those of processes are
# PID and START. Only this user's: what others wrote is not believed.
muster_add() {
  local muster_variable muster_directory='' muster_settings='' muster_key muster_value
  local muster_job='' muster_launcher='' muster_guard='' muster_grace=15000 muster_marker=''
  while IFS= read -r -d '' muster_variable; do
    case $muster_variable in
      MUSTER_WARDEN=*) muster_settings=${muster_variable#*=} ;;
      MUSTER_WARDEN_DIRECTORY=*) muster_directory=${muster_variable#*=} ;;
    esac
  done <"/proc/$1/environ"
  [[ $muster_settings && $muster_directory && -O $muster_directory && ! -L $muster_directory ]] || return 0
  [[ -f $muster_directory/.running && -O $muster_directory/.running ]] || return 0
  while read -r muster_key muster_value; do
    case $muster_key in
      job) muster_job=$muster_value ;;
      launcher) muster_launcher=$muster_value ;;
      guard) muster_guard=$muster_value ;;
      grace) muster_grace=$muster_value ;;
      marker) muster_marker=$muster_value ;;
    esac
  done <"$muster_directory/.running"
  [[ $muster_launcher && $muster_marker == "${muster_settings#* }" && $muster_grace != *[!0-9]* ]] || return 0
  muster_look_at "$1"
  muster_jobs+=("$muster_job") muster_launchers+=("$muster_launcher") muster_guards+=("$muster_guard")
  muster_wardens+=("$1 $muster_start") muster_graces+=("$muster_grace")
}

muster_find_launchers() {
  local muster_entry muster_variable
  muster_jobs=() muster_launchers=() muster_guards=() muster_wardens=() muster_graces=()
  for muster_entry in /proc/[0-9]*; do
    [[ -O $muster_entry ]] || continue
    while IFS= read -r -d '' muster_variable; do
      [[ $muster_variable == MUSTER_WARDEN=* ]] || continue
      muster_add "${muster_entry#/proc/}"
      break
    done <"$muster_entry/environ"
  done
} 2>/dev/null

# Sends SIGTERM to the launcher of an index, and wakes it when it stands still.
muster_signal_launcher() {
  local muster_one muster_pid=''
  for muster_one in "${muster_guards[$1]}" "${muster_launchers[$1]}"; do
    if [[ $muster_pid || ! $muster_one ]] || ! muster_is_there "$muster_one"; then continue; fi
    muster_pid=${muster_one%% *}
    kill -s TERM "$muster_pid"
    kill -s CONT "$muster_pid"
  done
} 2>/dev/null

# When a container's first process ends, so does this one: its launcher is about to end once its warden has.
muster_have_ended() {
  local muster_index muster_one
  for muster_index; do
    case "${muster_guards[$muster_index]} ${muster_launchers[$muster_index]}" in
      '1 '* | ' 1 '*) ! muster_is_there "${muster_wardens[$muster_index]}" || return 1; continue ;;
    esac
    for muster_one in "${muster_guards[$muster_index]}" "${muster_launchers[$muster_index]}" "${muster_wardens[$muster_index]}"; do
      [[ ! $muster_one ]] || ! muster_is_there "$muster_one" || return 1
    done
  done
}

# Never returns.
muster_stop_by_signal() {
  local muster_wanted='' muster_all='' muster_chosen=() muster_index muster_limit=0 muster_nothing=''
  while (($#)); do
    case $1 in
      --all) muster_all=yes ;;
      --job) muster_wanted=${2-} && shift ;;
      --job=*) muster_wanted=${1#*=} ;;
      --grace) shift ;;
      --grace=*) ;;
      *) muster_refuse 64 "there is no option $1; muster stop --help lists them" ;;
    esac
    shift
  done
  muster_find_launchers
  for muster_index in "${!muster_jobs[@]}"; do
    [[ ! $muster_wanted || $muster_wanted == "${muster_jobs[$muster_index]}" ]] || continue
    muster_chosen+=("$muster_index")
    if ((muster_graces[muster_index] > muster_limit)); then muster_limit=${muster_graces[$muster_index]}; fi
  done
  ((${#muster_chosen[@]})) ||
    muster_refuse 75 "no launcher is found, and there is no room to look closer: $muster_full"
  ((${#muster_chosen[@]} == 1)) || [[ $muster_all$muster_wanted ]] ||
    muster_refuse 64 "several launchers run here, of these jobs: ${muster_jobs[*]}. Say which: --job ID, or --all"
  muster_print "there is no room for more than a signal: $muster_full; stopping by SIGTERM, with the launcher's own grace"
  for muster_index in "${muster_chosen[@]}"; do muster_signal_launcher "$muster_index"; done
  # Nothing ever comes there: it is only there to be waited for.
  { exec {muster_nothing}<>/dev/udp/127.0.0.1/9; } 2>/dev/null
  muster_limit=$((SECONDS + muster_limit / 1000 + 11))
  while ! muster_have_ended "${muster_chosen[@]}"; do
    ((SECONDS < muster_limit)) || break
    if [[ $muster_nothing ]]; then read -r -t 0.02 -u "$muster_nothing" _; fi
  done
  muster_have_ended "${muster_chosen[@]}" || muster_refuse 75 "not ended in time: jobs ${muster_jobs[*]}. What was begun goes on"
  exit 0
}

muster_refuse() {
  muster_print "exit $1: $2"
  exit "$1"
}

# shellcheck disable=SC2034 # bin/muster looks whether this file was read to its end
muster_whole=yes
