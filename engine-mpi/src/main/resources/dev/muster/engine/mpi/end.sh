# shellcheck shell=sh disable=SC2154
# The beginning of start.sh: finds out what mpirun's end means, from what it said last. Sets muster_code, and leaves the reason, if it
# tells any, in the private directory's file "why".

# The host on which a rank runs, as " on NAME": they fill one host after another, unless the user tells mpirun otherwise.
host_of() {
  [ -z "$muster_mapped" ] || return 0
  skip=$1
  while read -r _ name slots _; do
    [ "$skip" -ge "$slots" ] || break
    skip=$((skip - slots))
  done <"$muster_hosts"
  printf '%s' " on $name"
}

# What users call a host that mpirun calls so; it may have cut the name off.
name_of() {
  while read -r where name _ address; do
    case $1 in
      "$where" | "$name" | "$address" | "${name%%.*}") break ;;
    esac
    name=
  done <"$muster_hosts"
  printf '%s' "${name:-$1}"
}

signal_name() {
  name=$(kill -l "$1" 2>/dev/null) && printf 'SIG%s' "${name#SIG}" || printf 'signal %s' "$1"
}

open_mpi_says() {
  case $text in
    *'system limit exceeded on number of processes'* | *'Unable to start listen thread'*) why=$muster_no_process code=75 ;;
    *'has lost communication with a remote daemon'*'Remote daemon: '*' on node '*)
      on=${text##*Remote daemon: } on=${on#* on node }
      why="$(name_of "${on%%[[:space:]]*}") is lost: mpirun's daemon there is gone" code=75
      ;;
    *'unable to find network interfaces'*)
      why='no network interface is up here, not even lo, and mpirun needs one. Run "ip link set lo up", or give the container a network'
      ;;
    *'Host key verification failed'*) why='a host does not have the key that ssh expects of it' code=75 ;;
    *'unable to reliably start one or more daemons'*) why='mpirun could not start its daemon on another host' code=75 ;;
    *'unable to find the specified executable file'* | *'could not find an executable'*)
      what=${text##*Executable: } on=${text##*Node: }
      why="${what%%[[:cntrl:]]*} was not found on ${on%%[[:cntrl:]]*}" code=127
      ;;
    *'that process rank '*' exited on signal '*)
      rank=${text##*that process rank } signal=${text##*exited on signal }
      why="rank ${rank%% *}$(host_of "${rank%% *}") was killed by $(signal_name "${signal%%[!0-9]*}")"
      ;;
    *'exited with non-zero status'*'Process name: [['* | *'MPI_ABORT was invoked on rank '*)
      rank=${text##*invoked on rank } rank=${rank##*Process name: \[\[}
      rank=${rank#[0-9]*,[0-9]*],} rank=${rank%%[!0-9]*}
      why="rank $rank$(host_of "$rank") ended with exit code $code"
      ;;
    *'due to process rank '*' exiting improperly'*)
      rank=${text##*due to process rank } rank=${rank%% *}
      why="rank $rank$(host_of "$rank") ended without MPI_Finalize"
      ;;
    # Often this is all that it says; if it is not, the rest comes at once.
    *'Primary job '*' terminated normally, but '*)
      rest="a rank ended with exit code $code, and mpirun does not say which"
      case $text in
        *'muster: rank '*) words=${text#*muster: } words=${words%%[[:cntrl:]]*} ;;
        *) read -r words 2>/dev/null <"$muster_private/stopping.failed" || words= ;;
      esac
      rank=${words#rank } rank=${rank%% *}
      [ -z "$words" ] || rest="rank $rank$(host_of "$rank") ${words#rank * }"
      tries=$((tries + 1))
      ;;
  esac
}

# Its exit code does not tell a signal from a code, and is 255 for a command that cannot be started.
hydra_says() {
  case $text in
    *'fork failed (Resource temporarily unavailable)'* | *'fork failed (Cannot allocate memory)'*) why=$muster_no_process code=75 ;;
    *'execvp error on file '*' ('*)
      what=${text##*execvp error on file } on=${text%execvp error on file *} on=${on##*@} how='cannot be executed' code=126
      case $what in *' (No such file'*) how='was not found' code=127 ;; esac
      why="${what%%" ("*} $how on ${on%%]*}"
      ;;
    # Intel MPI's words, and MPICH's, which lacks the second line where a proxy ends in disorder.
    *'BAD TERMINATION'*'KILLED BY SIGNAL: '*) signal=${text##*KILLED BY SIGNAL: } ;;
    *'BAD TERMINATION'*'EXIT STRING: '*'(signal '*) signal=${text##*(signal } ;;
    *'BAD TERMINATION'*'EXIT CODE: '*) signal=${text##*EXIT CODE: } ;;
  esac
  signal=${signal%%[!0-9]*}
  if [ -n "$signal" ]; then
    on=${text##* RUNNING AT }
    why="a rank on ${on%%[[:space:]]*} was killed by $(signal_name "$signal")" code=$((128 + signal))
  fi
}

# What mpirun itself said last; its words may still be on their way into the log, since the launcher writes it, which a busy machine
# may keep from that. Open MPI's stand between lines of dashes, and come with every failed rank: until such a line is there they are
# awaited for some seconds, and then the rest for a moment.
explain() {
  code=$muster_code why='' rest='' signal='' most=4000 says=open_mpi_says patience=20 tries=0
  case $muster_style in
    *hydra) says=hydra_says most=8000 ;;
    openmpi* | none) [ ! -f "$muster_log" ] || [ "$code" -gt 128 ] || patience=150 ;;
  esac
  while [ "$tries" -lt "$patience" ] && [ -z "$why" ]; do
    text=$(tail -c "+$muster_begin" "$muster_log" 2>/dev/null | tail -c "$most")
    case $code:$text in
      75:*'muster: exit 75: no process can be made here'* | 75:*"muster: $muster_no_process"*) why=$muster_no_process ;;
      *) "$says" ;;
    esac
    tries=$((tries + 1))
    case $text in
      *----------*) [ "$patience" -eq 20 ] || tries=1 patience=20 ;;
    esac
    [ -n "$why" ] || sleep 0.02 || break
  done
  why=${why:-$rest} muster_code=$code
  [ -z "$why" ] || printf '%s\n' "$why" >"$muster_private/why"
}
