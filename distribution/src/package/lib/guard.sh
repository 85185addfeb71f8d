#!/bin/bash -p
#
# guard.sh COMMAND...: starts the launcher's JVM and stays as its parent, since a JVM can neither obey a signal when no thread
# can be made, nor choose its exit code whatever happens to it. See docs/adr/0014. bin/muster reads this file, or becomes it.
#
# Two pipes lead to the JVM, which finds them as its descriptors 3 and 4, as it is told together with the pid of this shell:
#   to the JVM     one signal a line: TERM, INT, HUP, USR1, USR2, QUIT. The end of this pipe: this shell has died.
#   from the JVM   "here": the launcher has begun. "heard": it has taken a signal. "term CODE": what SIGTERM ends with, when that
#                  is not 143. "verdict CODE": what to end with. "warden PID": who ends the ranks when the JVM dies; it holds this
#                  pipe open, too. "plugin NAME": its code runs in the JVM. "exits": somebody has called System.exit, as the
#                  launcher never does. "input NAME": a big one, of which the plan is made. "directory PATH": to be removed when the JVM
#                  dies before it has named a warden. "signal NAME PID...": to be sent to groups, for a launcher that has no warden and can
#                  open no file. "hanging", from the warden: not all that has got SIGKILL has ended.
# Nothing here starts another process but the JVM, and what removes that directory, so that all of it works when none can be started.

muster_pid='' muster_ended='' muster_sent=0 muster_heard=0 muster_interrupted='' muster_silent=''
muster_here='' muster_verdict='' muster_term=143 muster_words='' muster_line=''
muster_warden='' muster_is_launch='' muster_plugin='' muster_exits='' muster_input=''
muster_directory='' muster_limit='' muster_threads='' muster_hanging='' muster_killer='' muster_has_room=''

muster_full='no more files can be opened here: a limit is reached (ulimit -n)'

# Seconds between two looks at the JVM. Meanwhile bash does not hear of children that end, which may be all orphans of a container. One that
# is to take a signal has six: longer than it ever collects garbage.
muster_look=0.25

# A builtin's redirection needs a free descriptor, which a limit that was lowered meanwhile may not leave; that of a subshell needs none.
muster_say() {
  printf 'muster: %s\n' "$1" >&"$muster_err" || (printf 'muster: %s\n' "$1") >&"$muster_err"
}

# Passes a signal on. What comes before there is a JVM is kept.
muster_signal() {
  muster_interrupted=yes
  # Before the launcher had begun it may still be looked for what has ended the JVM.
  [[ ! $muster_ended || ! $muster_here ]] || return 0
  case $1 in TERM | INT | HUP) muster_stop=${muster_stop:-$1} ;; esac
  [[ ! $muster_ended ]] || return 0
  if [[ $muster_pid ]]; then muster_pass_on "$1"; else muster_early+=("$1"); fi
}

# For what bash itself keeps of a child that has ended it takes half a megabyte in one piece. Without it, as where a limit was lowered meanwhile
# (ulimit -v, -d), bash ends with 2, which would look like the code of a rank. glibc keeps what is free now, less than twice the biggest
# piece that it has given back to the system before. printf has two of each.
muster_keep_room() {
  local muster_room muster_bytes
  for muster_bytes in 600000 350000; do
    printf -v muster_room "%0${muster_bytes}d" 0
    # shellcheck disable=SC2034 # nobody needs it
    muster_room=''
  done
  muster_has_room=yes
}

# Without a redirection: that needs a free descriptor, which a limit that was lowered meanwhile may not leave.
muster_pass_on() {
  if [[ $1 == QUIT ]]; then # shows threads, and is not answered
    printf 'QUIT\n'
  elif ((muster_sent - muster_heard < 1000)); then # more would not fit into a pipe that nobody reads
    muster_sent=$((muster_sent + 1))
    printf '%s\n' "$1"
    kill -s CONT "$muster_pid" # a stopped launcher obeys, too
  fi
}

# Takes what the JVM says: 0 when there was something, 142 when there was nothing for so long, 1 when nobody is left.
muster_read() {
  local muster_rest='' muster_code=0 muster_word=''
  [[ $muster_words ]] || return 1
  IFS= read -r -t "$1" -u "$muster_words" muster_rest || muster_code=$?
  # What has come of a line when the time is over is kept: a busy machine may take long between two of its letters.
  muster_line+=$muster_rest
  ((muster_code == 0)) || return "$muster_code"
  muster_word=${muster_line%% *} muster_rest=${muster_line#* } muster_line=''
  case $muster_word in
    here) muster_here=yes ;;
    heard) muster_heard=$((muster_heard + 1)) ;;
    term) muster_term=$muster_rest ;;
    verdict) muster_verdict=$muster_rest ;;
    warden) muster_warden=$muster_rest ;;
    plugin) muster_plugin=$muster_rest ;;
    exits) muster_exits=yes ;;
    input) muster_input=$muster_rest ;;
    directory) muster_directory=$muster_rest muster_warden='' ;; # that of a run before has ended
    signal)
      # shellcheck disable=SC2086 # its words
      muster_signal_groups $muster_rest
      ;;
    hanging) muster_hanging='; some processes are still there 10 s after SIGKILL (they hang in the kernel)' ;;
  esac
}

# Without a redirection, as above. A process that has just been started may not have made its group yet.
muster_signal_groups() {
  local muster_group
  for muster_group in "${@:2}"; do
    kill -s "$1" -- "-$muster_group" || kill -s "$1" "$muster_group"
    [[ $1 == KILL ]] || kill -s CONT -- "-$muster_group"
  done
}

# Stays while the JVM runs and has its pipe. Not by wait: of two signals that come at once bash would leave that with the second, and never
# hear of the first (5.2). read hears of both. A JVM that does not take a signal is ended: the warden then stops the ranks as the launcher
# would have done.
muster_attend() {
  local muster_first_cpu='' muster_waits=0 muster_sleeps=0 muster_last_heard=0
  while muster_is_there; do
    muster_read "$muster_look"
    case $? in
      0) continue ;;
      142) [[ $muster_has_room ]] || muster_keep_room ;; # when a launch is over
      *) return ;;
    esac
    # One that is stopped when it has heard of a stop would not end its ranks.
    [[ ! $muster_stop ]] || kill -s CONT "$muster_pid"
    if ((muster_heard >= muster_sent || muster_heard > muster_last_heard)); then
      muster_first_cpu='' muster_waits=0 muster_sleeps=0 muster_last_heard=$muster_heard
      continue
    fi
    muster_waits=$((muster_waits + 1))
    muster_look_at_cpu
    muster_first_cpu=${muster_first_cpu:-$muster_cpu}
    ((muster_waits % 2 == 0)) || continue
    muster_sleeps=$((muster_sleeps + 1))
    muster_is_asleep || muster_sleeps=0
    if ((muster_waits >= 6)) && muster_is_hopeless; then
      muster_silent=yes
      kill -s KILL "$muster_pid"
      return
    fi
  done
}

# Whether the JVM lives. Of a coproc that bash has heard the end of it forgets the number, which may be another's by then.
muster_is_there() {
  [[ ${muster_jvm_PID-} == "$muster_pid" ]] && kill -s 0 "$muster_pid"
}

# While ranks run, a JVM that gets no processor on a busy machine has longer than one that runs, or sleeps, and does not answer.
muster_is_hopeless() {
  [[ ! $muster_warden ]] || ((muster_cpu - muster_first_cpu >= 100 || muster_sleeps >= 3 || muster_waits >= 42))
}

# Whether none of the JVM's threads runs, nor waits for a processor or a disk.
muster_is_asleep() {
  local muster_task muster_line
  for muster_task in "/proc/$muster_pid/task/"*; do
    IFS= read -r muster_line <"$muster_task/stat" || continue
    [[ ${muster_line##*) } == S* ]] || return 1
  done
} 2>/dev/null

# Sets muster_cpu to the hundredths of a second that the JVM has had a processor.
muster_look_at_cpu() {
  local muster_line='' muster_fields=()
  IFS= read -r muster_line <"/proc/$muster_pid/stat"
  # shellcheck disable=SC2206
  muster_fields=(${muster_line##*) })
  muster_cpu=$((${muster_fields[11]-0} + ${muster_fields[12]-0}))
} 2>/dev/null

# Sets muster_how to the end of a JVM without a verdict, in words.
muster_tell_end() {
  local muster_suspect=''
  case ${muster_exits:-$muster_status} in
    3) muster_how='ran out of memory' muster_suspect='code of %s ran in it' ;; # its heap: -XX:+ExitOnOutOfMemoryError
    134) muster_how='was killed by SIGABRT' muster_suspect='code of %s ran in it' ;;
    137)
      muster_how='was killed by SIGKILL'
      # shellcheck source=/dev/null
      [[ $muster_silent ]] || { . ./again.sh && muster_look_at_kills; }
      ;;
    139) muster_how='was killed by SIGSEGV' muster_suspect='code of %s ran in it' ;;
    143) muster_how='was killed by SIGTERM' muster_suspect='code of %s ran in it' ;;
    152) muster_how='was killed by SIGXCPU: its processor time is limited (ulimit -t)' ;;
    *) # The launcher itself never ends without a verdict.
      muster_how="ended${muster_status:+ with exit status $muster_status}"
      muster_suspect='code of %s has ended it (System.exit, Runtime.halt). Report that to its author'
      ;;
  esac
  [[ ! $muster_silent ]] || muster_how='did not obey and was killed' muster_suspect=''
  if [[ $muster_here ]]; then
    muster_how="the launcher's JVM $muster_how before it could tell how the job ended"
  else
    muster_how="the launcher's JVM $muster_how before the launcher had begun"
  fi
  [[ ! $muster_plugin || ! $muster_suspect ]] || muster_how+=": ${muster_suspect/\%s/"$muster_plugin"}"
  muster_how+=$muster_killer$muster_hanging
}

# A JVM that reads class data which was cut off is killed before the launcher has begun. Without it the same command works, later.
# shellcheck disable=SC2154 # again.sh sets these
muster_begin_without_class_data() {
  muster_leave_class_data_out "$@"
  [[ $muster_data ]] || return 0
  muster_say "warning: $muster_how. It is started again without $muster_data"
  exec >&"$muster_out" 2>&"$muster_err" {muster_out}>&- {muster_err}>&-
  [[ ! $muster_words ]] || exec {muster_words}<&-
  muster_pid='' muster_ended='' muster_sent=0 muster_heard=0 muster_words='' muster_line='' muster_early=()
  muster_guard "${muster_rest[@]}"
}

# Sets muster_status to the JVM's exit status. What a signal calls bash away for just when it has got the end of a child from the kernel is
# lost (5.2): then it is empty, since nobody knows it. bash would wait for ever where it has another child, such as the copy that keeps the
# environment.
muster_await_end() {
  while :; do
    muster_interrupted=''
    wait "$muster_pid"
    muster_status=$?
    [[ $muster_interrupted ]] || return 0
    [[ ${muster_jvm_PID-} != "$muster_pid" ]] || muster_is_there || break
  done
  muster_status=''
}

# Waits until the JVM's verdict is there, or nobody is left who holds the pipe: the warden, then, has ended all ranks.
muster_await_verdict() {
  local muster_told=''
  while [[ ! $muster_verdict ]]; do
    # It may stand still, and nobody is left who would replace it.
    [[ ! $muster_warden ]] || kill -s CONT "$muster_warden" 2>/dev/null
    muster_read 0.5
    case $? in
      1) break ;;
      142)
        muster_tell_end
        [[ $muster_told ]] || muster_say "$muster_how; what it has started is being stopped"
        muster_told=yes
        ;;
    esac
  done
  muster_tell_end
}

# What kubectl describe shows of a container that has ended, which a JVM that has died cannot write any more. As that one does:
# only in a pod, for no launcher within a job, and not for who only plans.
muster_tell_container() {
  local muster_file=/dev/termination-log muster_start=''
  [[ ${KUBERNETES_SERVICE_HOST-} && ! ${MUSTER_JOB+set} && $muster_is_launch ]] || return 0
  [[ -f $muster_file && ! -L $muster_file && -w $muster_file ]] || return 0
  [[ ! -s $muster_file ]] || muster_start=$'\n'
  printf '%s%s\n' "$muster_start" "$1" >>"$muster_file"
} 2>/dev/null

# Sets muster_is_launch, from the words behind the launcher's class.
muster_look_at_command() {
  while (($#)) && [[ $1 != dev.muster.Start ]]; do shift; done
  case ${2-} in
    plan | simulate) ;;
    *) muster_is_launch=yes ;;
  esac
}

# The copy of bin/muster that keeps the environment ends by itself, unless it stands still. It is a child of this shell.
muster_let_copy_go_on() {
  local muster_line='' muster_fields=()
  [[ ${MUSTER_PID:-$$} != "$$" ]] || return 0
  IFS= read -r muster_line <"/proc/$MUSTER_PID/stat"
  # shellcheck disable=SC2206
  muster_fields=(${muster_line##*) })
  [[ ${muster_fields[1]-} != "$$" ]] || kill -s CONT "$MUSTER_PID"
} 2>/dev/null

muster_exit() {
  muster_let_copy_go_on
  case $1 in
    TERM) muster_code=$muster_term ;;
    INT) muster_code=130 ;;
    HUP) muster_code=129 ;;
    *) muster_code=$1 ;;
  esac
  if [[ ${2-} ]]; then
    muster_say "exit $muster_code: $2"
    muster_tell_container "exit $muster_code: $2"
  fi
  exit "$muster_code"
}

# bash ends the script when it cannot fork.
muster_cannot_fork() {
  trap - EXIT
  [[ ! $muster_stop ]] || muster_exit "$muster_stop" "stopped by SIG$muster_stop; nothing was started"
  muster_exit 75 "no process can be started here: a limit is reached (ulimit -u, or pids.max of the container)"
}

# Never returns.
muster_guard() {
  muster_look_at_command "$@"
  [[ ! $muster_stop ]] || muster_exit "$muster_stop"
  trap '' PIPE # of a JVM that has died
  # What bash itself has to say, as of a JVM that was killed, is for nobody.
  muster_err=''
  exec {muster_in}<&0 {muster_out}>&1 {muster_err}>&2 2>/dev/null
  if [[ ! $muster_err ]]; then # who started this has left too many files open in it
    muster_err=2
    [[ ! $muster_stop ]] || muster_exit "$muster_stop" "stopped by SIG$muster_stop; $muster_full"
    muster_exit 75 "$muster_full"
  fi
  trap muster_cannot_fork EXIT
  coproc muster_jvm {
    trap - TERM INT HUP QUIT USR1 USR2 PIPE # bash would have what runs beside it ignore INT and QUIT
    # Without its pipes the JVM would take for them whatever it opens first.
    exec 3<&0 4>&1 <&"$muster_in" >&"$muster_out" 2>&"$muster_err" {muster_in}<&- {muster_out}>&- {muster_err}>&- || exit 75
    # shellcheck disable=SC2086 # nothing, or -c: without the environment
    exec ${muster_clean-} "$@"
  }
  trap - EXIT
  # bash closes its own descriptors as soon as the JVM has ended. From here on this shell prints for the JVM.
  if [[ ${muster_jvm[1]-} ]]; then exec >&"${muster_jvm[1]}" {muster_words}<&"${muster_jvm[0]}"; else exec >/dev/null; fi
  exec {muster_in}<&-
  muster_pid=$!
  for muster_name in "${muster_early[@]}"; do muster_pass_on "$muster_name"; done
  muster_attend
  muster_await_end
  muster_ended=yes
  muster_await_verdict
  [[ ! $muster_verdict ]] || muster_exit "$muster_verdict"
  if [[ ! $muster_here && ! $muster_stop ]]; then
    # shellcheck source=/dev/null
    . ./again.sh
    muster_look_at_memory
    [[ $muster_status != 1 || $muster_limit ]] || muster_look_at_threads "$@"
    case $muster_status in
      134 | 135 | 139) [[ $muster_limit ]] || muster_begin_without_class_data "$@" ;;
    esac
  fi
  if [[ $muster_directory == /*/muster-* && ! $muster_warden ]]; then
    # bash ends the script when it cannot fork; then the next launcher removes it.
    trap muster_end_without_verdict EXIT
    rm -rf -- "$muster_directory"
    trap - EXIT
  fi
  muster_end_without_verdict
}

# Never returns.
muster_end_without_verdict() {
  trap - EXIT
  [[ ! $muster_stop ]] || muster_exit "$muster_stop" "stopped by SIG$muster_stop; $muster_how"
  # What is too old for the launcher has said so itself.
  [[ $muster_here || $muster_status != 69 ]] || muster_exit 69
  [[ $muster_here || $muster_status != 75 ]] || muster_exit 75 "$muster_full"
  [[ $muster_here || $muster_status != 12[67] ]] || muster_exit 69 "the Java that was found cannot be run. Set JAVA_HOME to another one"
  [[ ! $muster_threads ]] || muster_exit 75 "$muster_threads"
  [[ $muster_here || ! $muster_limit ]] || muster_exit 78 "$muster_limit, too little for a JVM: $muster_how. Raise it"
  # Before anything was started, who wrote the input can help it.
  [[ $muster_status != 3 || ! $muster_input || $muster_warden || $muster_exits ]] ||
    muster_exit 65 "$muster_input needs more memory than the launcher has. Check that it is the right file; $muster_how"
  muster_exit 70 "$muster_how"
}

# bin/muster, which reads this file, has done this for itself, long before.
if [[ $0 == ./guard.sh ]]; then
  muster_stop='' muster_early=()
  for muster_name in TERM INT HUP QUIT USR1 USR2; do
    # shellcheck disable=SC2064
    trap "muster_signal $muster_name" "$muster_name"
  done
  trap : XFSZ
  muster_guard "$@"
fi

# shellcheck disable=SC2034 # bin/muster looks whether this file was read to its end
muster_whole=yes
