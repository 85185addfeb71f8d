# shellcheck shell=sh disable=SC2154
# Put before start.sh: finds the reason of mpirun's end in its last messages. Sets muster_code, and writes the reason, if there is one,
# to the file "why" of the private directory.

# Prints the host of a rank as " on NAME": ranks fill one host after another. Prints nothing if the user gives mpirun another mapping.
host_of() {
  [ -z "$muster_mapped" ] || return 0
  skip=$1
  while read -r _ name slots _; do
    [ "$skip" -ge "$slots" ] || break
    skip=$((skip - slots))
  done <"$muster_hosts"
  printf '%s' " on $name"
}

# Prints the users' name of a host from mpirun's name, which may be cut off.
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
    # Often mpirun prints no more than this. If it does, the rest comes at once.
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

# Hydra's exit code is the same for a signal and for a code, and is 255 for a command that it cannot start.
hydra_says() {
  case $text in
    *'fork failed (Resource temporarily unavailable)'* | *'fork failed (Cannot allocate memory)'*) why=$muster_no_process code=75 ;;
    *'execvp error on file '*' ('*)
      what=${text##*execvp error on file } on=${text%execvp error on file *} on=${on##*@} how='cannot be executed' code=126
      case $what in *' (No such file'*) how='was not found' code=127 ;; esac
      why="${what%%" ("*} $how on ${on%%]*}"
      ;;
    # The messages of Intel MPI, and of MPICH, which has no second line if a proxy ends with an error.
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

# Finds the reason in mpirun's last messages. The launcher writes the log, and may be late on a busy machine. Open MPI prints its
# messages between lines of dashes for every failed rank: this waits some seconds for such a line, and then a moment for the rest.
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
