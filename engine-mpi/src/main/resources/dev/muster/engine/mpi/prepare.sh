# Makes a node ready to serve: the job's key, the rest of its sshd's configuration, its own variables and network interfaces for the
# ranks that mpirun starts here.
#
# Arguments: private directory, sshd, its configuration, the key's file or nothing, this host, another one, whether the nodes are one
# machine ("together") or not ("apart"), the list of interfaces, the file of the image that the configuration comes from or nothing, the
# port, the seconds in which the user's login shell must run a command (0: nobody logs in here), names of variables.
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

# Not by chance: somebody else has a hand in it.
distrust() {
  printf '%s\n' "$*" >&2
  exit 78
}

is_trusted() {
  [ "$1" = 0 ] || [ "$1" = "$(id -u)" ]
}

# What counts is the file that is read, whatever has its name a moment later.
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
    # The kubelet mounts a Secret for all users of its container, and nobody there could change that.
    *) LC_ALL=C touch -ac /proc/self/fd/3 2>&1 | grep -q 'Read-only file system' || distrust "the key $source (uid $owner, mode $mode) can be read or written by others. Use: chmod 600 $source" ;;
  esac
  { tr -d '\r' <&3 && echo; } >"$private/key" || refuse "$unreadable"
  exec 3<&-
}

# Only at the address by which the others know this host, where it is one of its own. Many hosts give their own
# name a loopback address that is of no use for others.
listen() {
  address=$(address_of "$own")
  case $address in
    '') return ;;
    127.*) case $(address_of "$other") in 127.*) ;; *) return ;; esac ;;
    *) grep -A1 -- "|-- $address\$" /proc/net/fib_trie 2>/dev/null | grep -q 'host LOCAL' || return ;;
  esac
  echo "ListenAddress $address"
}

# Demands that a login gets the job's command, and that there can be one.
# Arguments: keyword in lower case, the value that it must have, what another one does to the job.
require() {
  value=$(printf '%s\n' "$effective" | sed -n "s/^$1 //p")
  [ "${value:-$2}" = "$2" ] || {
    printf '%s: %s %s %s. Take it out there, or give -o sshd=own\n' "$origin" "$1" "$value" "$3" >&2
    exit 78
  }
}

# sshd hands each command to the user's login shell, which reads files of the user's first. Where one of these ends it, or makes it another
# program, mpirun would wait for ever. What such a file starts may hold an output open.
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
# Since OpenSSH 9.8 whoever only looks whether the port is open is locked out for a while. The first word
# counts, and at the end there may be words for some users only.
if "$sshd" -t -f "$config" -o PerSourcePenalties=no 2>/dev/null; then
  { echo 'PerSourcePenalties no' && cat "$config"; } >"$config.new" && mv "$config.new" "$config"
fi
{
  # sshd takes rights of the group from its own.
  echo "umask $umask"
  for name; do
    value=
    eval "value=\$$name"
    printf 'export %s=%s\n' "$name" "$(quote "$value")"
  done
  # Daemons of one job on one machine would have one directory, and one that finds it half made by another
  # ends without a word.
  if [ "$nodes" = together ]; then
    quoted=$(quote "$private")
    printf 'export OMPI_MCA_orte_tmpdir_base=%s PRTE_MCA_prte_tmpdir_base=%s\n' "$quoted" "$quoted"
  fi
  ! has_no_room || printf 'export TMPDIR=%s\n' "$(quote "$private")"
} >"$private/variables"

# Those of the list that this host has.
found=$(named)
[ -z "$found" ] || echo "$found" >"$private/interfaces"
# What sshd does for a login of the job's: words for some users, hosts or addresses only win over those that it is called with.
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
# sshd ends its lines as terminals want them.
problem=$(printf '%s' "$effective" | tr -d '\r')
case $problem in
  *'privilege separation directory'*) refuse "$problem. Make it, as root: mkdir -p -m 0755 ${problem##*: }" ;;
  *) refuse "$sshd cannot run: $problem" ;;
esac
