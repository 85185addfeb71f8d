# Prepares a node for logins: the job's key, the rest of sshd's configuration, and the node's own variables and network interfaces for
# the ranks that mpirun starts here.
#
# Arguments: private directory, sshd, its configuration, the key's file or nothing, this host, another host, "together" if the nodes are
# one machine or else "apart", the list of interfaces, the image's file that the configuration comes from or nothing, the port, the
# seconds in which the user's login shell must run a command (0: no login here), names of variables.
umask=$(umask)
umask 077
# shellcheck disable=SC2034 # the function "named" reads the interfaces
private=$1 sshd=$2 config=$3 source=$4 own=$5 other=$6 nodes=$7 interfaces=$8 origin=$9
shift 9
port=$1 patience=$2
shift 2

refuse() {
  printf '%s\n' "$*" >&2
  exit 69
}

quote() {
  rest=$1 quoted=
  while [ "$rest" != "${rest#*\'}" ]; do
    quoted=$quoted${rest%%\'*}\'\\\'\' rest=${rest#*\'}
  done
  printf "'%s'" "$quoted$rest"
}

# Refuses a state that another user may have caused on purpose.
distrust() {
  printf '%s\n' "$*" >&2
  exit 78
}

is_trusted() {
  [ "$1" = 0 ] || [ "$1" = "$(id -u)" ]
}

# Checks the open file, not its name: another file may get the name a moment later.
take_key() {
  if [ -h "$source" ] && ! is_trusted "$(stat -c %u "$source")"; then
    distrust "the key $source is a link of uid $(stat -c %u "$source"), which is neither root nor you, and is not used. Remove it"
  fi
  unreadable="the key $source cannot be read. Make it readable for this user, or give -o ssh-key=FILE"
  { [ -f "$source" ] && [ -r "$source" ] && command exec 3<"$source"; } || refuse "$unreadable"
  owner=$(stat -L -c %u /proc/self/fd/3) mode=$(stat -L -c %a /proc/self/fd/3)
  is_trusted "$owner" ||
    distrust "the key $source belongs to uid $owner (mode $mode), which is neither root nor you (uid $(id -u)), and is not used." \
      "Remove it, or give -o ssh-key=FILE"
  case $mode in
    *0) ;;
    # The kubelet mounts a Secret readable for all users of its container, and no user there can change that.
    *) LC_ALL=C touch -ac /proc/self/fd/3 2>&1 | grep -q 'Read-only file system' || distrust "the key $source (uid $owner, mode $mode) can be read or written by others. Use: chmod 600 $source" ;;
  esac
  { tr -d '\r' <&3 && echo; } >"$private/key" || refuse "$unreadable"
  exec 3<&-
}

# sshd listens only at the address under which other hosts know this host, if it is one of this host's. Many hosts
# resolve their own name to a loopback address, which other hosts cannot use.
listen() {
  address=$(address_of "$own")
  case $address in
    '') return ;;
    127.*) case $(address_of "$other") in 127.*) ;; *) return ;; esac ;;
    *) grep -A1 -- "|-- $address\$" /proc/net/fib_trie 2>/dev/null | grep -q 'host LOCAL' || return ;;
  esac
  echo "ListenAddress $address"
}

# Demands a value in the image's configuration: logins must work, and must run the job's command.
# Arguments: keyword in lower case, the value that it must have, what another value does to the job.
require() {
  value=$(printf '%s\n' "$effective" | sed -n "s/^$1 //p")
  [ "${value:-$2}" = "$2" ] || {
    printf '%s: %s %s %s. Take it out there, or give -o sshd=own\n' "$origin" "$1" "$value" "$3" >&2
    exit 78
  }
}

# sshd passes each command to the user's login shell, which first reads files of the user. If such a file ends the shell, or replaces it by
# another program, mpirun would wait forever. A process that the file starts may keep an output open, so the output goes to a file.
require_shell() {
  entry=$(getent passwd "$user")
  shell=${entry##*:} home=${entry%:*}
  shell=${shell:-/bin/sh} home=${home##*:}
  timeout -s KILL "$patience" env -i HOME="$home" USER="$user" LOGNAME="$user" SHELL="$shell" PATH=/usr/local/bin:/usr/bin:/bin \
    SSH_CLIENT="127.0.0.1 1 $port" SSH_CONNECTION="127.0.0.1 1 127.0.0.1 $port" \
    "$shell" -c 'echo muster-login' </dev/null >"$private/login" 2>/dev/null
  grep -q muster-login "$private/login" ||
    distrust "$shell, the login shell of $user, runs no command of an ssh login (waited up to ${patience}s). A file that it reads first," \
      "such as $home/.bashrc, ends it, stops it or makes it another program. Let that file do so in interactive shells only"
}

user=$(id -un 2>/dev/null) ||
  refuse "uid $(id -u) has no entry in /etc/passwd, and ssh refuses to work without. Add a line such as" \
    "\"ma-user:x:$(id -u):100::/home/ma-user:/bin/sh\" to the image's /etc/passwd, or run the job as a user that has one"
[ "$patience" -eq 0 ] || require_shell
if [ -n "$source" ]; then
  take_key
  public=$(ssh-keygen -y -P '' -f "$private/key" </dev/null) ||
    refuse "$source is no private key that works without a passphrase. Give -o ssh-key=FILE"
  printf 'restrict %s\n' "$public" >"$private/authorized_keys"
  printf '* %s\n' "$public" >"$private/known_hosts"
  listen >>"$config"
fi
# Since OpenSSH 9.8 sshd blocks clients for a while that only test whether the port is open. sshd uses the first value of
# a keyword, and the end of the file may be for some users only: so this line comes first.
if "$sshd" -t -f "$config" -o PerSourcePenalties=no 2>/dev/null; then
  { echo 'PerSourcePenalties no' && cat "$config"; } >"$config.new" && mv "$config.new" "$config"
fi
{
  # sshd removes rights of the group by its own umask.
  echo "umask $umask"
  for name; do
    value=
    eval "value=\$$name"
    printf 'export %s=%s\n' "$name" "$(quote "$value")"
  done
  # Daemons of one job on one machine would share a directory. A daemon that finds it half made by another one
  # ends without a message.
  if [ "$nodes" = together ]; then
    quoted=$(quote "$private")
    printf 'export OMPI_MCA_orte_tmpdir_base=%s PRTE_MCA_prte_tmpdir_base=%s\n' "$quoted" "$quoted"
  fi
  ! has_no_room || printf 'export TMPDIR=%s\n' "$(quote "$private")"
} >"$private/variables"

# The interfaces of the list that this host has.
found=$(named)
[ -z "$found" ] || echo "$found" >"$private/interfaces"
# Asks sshd for its settings in a login of the job: a Match block for users, hosts or addresses wins over sshd's arguments.
command="exec /bin/sh '$private/agent.sh' '$private'" address='' here=''
if grep -qi '^[[:space:]]*match[[:space:]=].*\(address\|host\)' "$config"; then
  address=$(address_of "$other") here=$(address_of "$own")
fi
if effective=$("$sshd" -T -f "$config" -o "ForceCommand=$command" -p "$port" \
  -C "user=$user,host=$other,addr=${address:-127.0.0.1},laddr=${here:-127.0.0.1},lport=$port" 2>&1); then
  [ -n "$origin" ] || exit 0
  require forcecommand "$command" "wins over the job's own command, without which its ranks cannot be started and stopped"
  require chrootdirectory none "hides the job's files from its own logins"
  require pubkeyauthentication yes "lets nobody log in by the job's key"
  exit 0
fi
# sshd ends its lines with CR and LF.
problem=$(printf '%s' "$effective" | tr -d '\r')
case $problem in
  *'privilege separation directory'*) refuse "$problem. Make it, as root: mkdir -p -m 0755 ${problem##*: }" ;;
  *) refuse "$sshd cannot run: $problem" ;;
esac
