# Waits until every host accepts a login. Writes the interfaces of hosts into the files interfaces.NODE of the private directory. Ends
# with 75 when a host does not accept one in time, or has another key than ssh expects; the last line tells which host, and why.
#
# Arguments: private directory; program, more arguments and port for client; file of hosts (lines "LOGIN NAME SLOTS HOST"; a host with
# LOGIN "-" is not asked), seconds for all hosts, path of the hostfile. Messages use the names that users know.
# shellcheck disable=SC2034,SC2154
private=$1 program=$2 more=$3 port=$4 hosts=$5 limit=$6 list=$7

# Asks a host until it answers. Until then missing.NODE has the last error.
ask() {
  pause=1
  until said=$(client "$2" 'ls /sys/class/net && echo muster-login' 2>&1 </dev/null); do
    case $said in
      *'Host key verification failed'* | *'HOST IDENTIFICATION HAS CHANGED'*)
        printf '%s\n' "host $3 of $list does not have the key that ssh expects of it. Add its key to ~/.ssh/known_hosts, or see with" \
          "\"ssh $2 true\" what ssh wants" | tr '\n' ' ' >"$private/wrong"
        return
        ;;
      *'Permission denied'*) said='key not accepted' ;;
    esac
    why=$(printf '%s' "${said:-no answer}" | tail -n 1 | tr -d '\r')
    echo "$3 ($why)" >"$private/new.$1" && mv "$private/new.$1" "$private/missing.$1"
    sleep "$pause"
    [ "$pause" -ge 5 ] || pause=$((pause + 1))
  done
  case $said in
    *muster-login*) ;;
    *)
      echo "host $3 of $list ends logins before they run a command. Let ~/.bashrc or its like there end interactive shells only" \
        >"$private/wrong"
      return
      ;;
  esac
  printf '%s\n' "$said" >"$private/new.$1" && mv "$private/new.$1" "$private/interfaces.$1"
  rm -f "$private/missing.$1"
}

# Prints the hosts that have not answered, with their last errors.
missing() {
  cat "$private"/missing.* 2>/dev/null | tr '\n' ',' | sed 's/,$//; s/,/, /g'
}

# Processes that still ask a host must not outlive this script.
# shellcheck disable=SC2086,SC2317
asked=
trap '[ -z "$asked" ] || kill $asked 2>/dev/null' EXIT
trap 'exit 143' HUP INT TERM

node=0 all=0
while read -r login name _; do
  if [ "$login" != - ]; then
    echo "$name (no answer)" >"$private/missing.$node"
    ask "$node" "$login" "$name" &
    asked="$asked $!" all=$((all + 1))
  fi
  node=$((node + 1))
done <"$hosts"

wait_for "$limit"
told=$((seconds + 2)) last=-1
while :; do
  if [ -s "$private/wrong" ]; then
    cat "$private/wrong"
    exit 75
  fi
  here=0
  for file in "$private"/interfaces.[0-9]*; do
    [ ! -f "$file" ] || here=$((here + 1))
  done
  [ "$here" -lt "$all" ] || exit 0
  if is_over; then
    echo "not all hosts of $list were there within ${limit}s (--input-timeout). See on them why, or give them more time: $(missing)"
    exit 75
  fi
  if [ "$seconds" -ge "$told" ] && { [ "$here" != "$last" ] || [ "$seconds" -ge $((told + 30)) ]; }; then
    echo "$here/$all hosts let us in; waiting for $(missing)"
    last=$here told=$seconds
  fi
  sleep 0.2
done
