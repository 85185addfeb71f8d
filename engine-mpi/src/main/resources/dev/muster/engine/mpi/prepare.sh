# Makes a node ready to serve: the job's key, the rest of its sshd's configuration, its own variables and network interfaces for the
# ranks that mpirun starts here.
#
# Arguments: private directory, sshd, its configuration, the key's file, whose that file is ("given": not the job's; "shared": the
# job's, and made where it is missing; "own": that, and it goes when this node's run ends; "job": it goes when the job is over), this
# host, another one, whether the nodes are one machine ("together") or not ("apart"), the list of interfaces, the file of the image that the configuration comes from or
# nothing, the port, names of variables.
umask 077
# shellcheck disable=SC2034 # the function "named" reads the interfaces
private=$1 sshd=$2 config=$3 source=$4 whose=$5 own=$6 other=$7 nodes=$8 interfaces=$9
shift 9
origin=$1 port=$2
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

# Of all nodes that make a key at the same time the first one's becomes the job's: a link is made once. Others may be able to add
# files beside it, so that no name can be known before the file is there.
make_key() {
  ssh-keygen -q -t ed25519 -N '' -C muster -f "$private/new" </dev/null ||
    refuse "ssh-keygen cannot make a key. Install OpenSSH's client, or give -o ssh-key=FILE"
  if ! { beside=$(mktemp "$source.XXXXXXXXXX") && cat "$private/new" >"$beside"; }; then
    refuse "cannot write ${beside:-$source}. Give -o shared-directory=DIR that all nodes can write"
  fi
  if ln "$beside" "$source" 2>/dev/null && [ "$whose" != job ]; then
    whose=own
  fi
  rm -f "$beside" "$private/new" "$private/new.pub"
  beside=
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
      "Remove it, or give -o ssh-key=FILE; where a file server gives all files to one user, that is the only way"
  case $mode in
    *0) ;;
    *) distrust "the key $source (uid $owner, mode $mode) can be read or written by others. Use: chmod 600 $source" ;;
  esac
  cat <&3 >"$private/key" || refuse "$unreadable"
  exec 3<&-
  # Another job of the same name may have made another one by then.
  case $whose in
    own) printf 'key %s\n' "$source" ;;
    job) printf 'job-key %s\n' "$source" ;;
  esac >>"$private/elsewhere"
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

# The launcher has looked at the directories above the private one itself. sshd would refuse some that are all
# right: those where others can only add things, a volume that the container has for itself; and root's own in
# a user namespace that does not know root.
strictness() {
  place=$private answer=no
  if is_trusted "$(stat -c %u /)"; then answer=yes; fi
  while [ -n "$place" ]; do
    place=${place%/*}
    case $(stat -c %A "${place:-/}") in ?????w* | ????????w*) answer=no ;; esac
  done
  echo "$answer"
}

# The values of a keyword, as sshd has understood them, a line each.
values() {
  printf '%s\n' "$effective" | sed -n "s/^$1 //p"
}

# Where the configuration says a keyword as it holds here: rather in words for some logins than in those for all.
# Arguments: keyword, in lower case.
place_of() {
  file=${origin:-$config}
  value=$(values "$1" | head -n 1)
  export keyword="$1" value
  # Words of the shell's own, since a pattern may stand for several files.
  # shellcheck disable=SC2046
  set -- "$file" $(awk 'tolower($1) == "include" { for (i = 2; i <= NF; i++) print ($i ~ /^\// ? "" : "/etc/ssh/") $i }' "$file")
  awk '
    FNR == 1 { match_line = "" }
    { line = $0; sub(/^[ \t]+/, "", line); word = tolower(line); sub(/[ \t=].*/, "", word) }
    word == "match" { match_line = line; where = FNR }
    word == ENVIRON["keyword"] {
      weight = (index(tolower(line), tolower(ENVIRON["value"])) ? 3 : 1) + (match_line != "")
      if (weight > most) {
        most = weight
        place = FILENAME ", line " FNR ": \"" line "\""
        if (match_line != "") place = place " under \"" match_line "\" of line " where
      }
    }
    END { printf "%s", place }
  ' "$@" 2>/dev/null
}

# Arguments: keyword in lower case, what it does to the job.
refuse_configuration() {
  place=$(place_of "$1")
  printf '%s %s. Take it out there, or give -o sshd=own\n' "${place:-${origin:-$config} ($1 $(values "$1"))}" "$2" >&2
  exit 78
}

# Whether one of some names matches one of some patterns, a line each. Logins from everywhere may be for hosts that nobody can look up
# here: whoever may log in from somewhere is taken to be let in, and whoever may not is not taken to be kept out.
# Arguments: names, patterns, whether those count that are for some hosts only ("yes" or "no").
is_among() {
  printf '%s\n' "$2" | {
    while read -r pattern; do
      case $pattern in *@*) [ "$3" = yes ] || continue ;; esac
      for name in $1; do
        # shellcheck disable=SC2254 # it is a pattern
        case $name in ${pattern%%@*}) exit 0 ;; esac
      done
    done
    exit 1
  }
}

# Demands that a login gets the job's command, and that there can be one.
# Arguments: the effective configuration.
require_login() {
  effective=$1
  [ "$(values forcecommand)" = "$command" ] ||
    refuse_configuration forcecommand "wins over the job's own command, without which its ranks cannot be started and stopped"
  case $(values chrootdirectory) in
    none | '') ;;
    *) refuse_configuration chrootdirectory "hides the job's files from its own logins" ;;
  esac
  [ "$(values pubkeyauthentication)" = yes ] ||
    refuse_configuration pubkeyauthentication "lets nobody log in by the job's key"
  case " $(values authenticationmethods) " in
    *' any '* | *' publickey '* | '  ') ;;
    *) refuse_configuration authenticationmethods "lets nobody log in by the job's key alone" ;;
  esac
  [ -n "$origin" ] || [ "$(values authorizedkeysfile)" = "$private/authorized_keys" ] ||
    refuse_configuration authorizedkeysfile "is not the job's own"
  [ "$(values authorizedkeysfile)" != none ] ||
    refuse_configuration authorizedkeysfile "names no file that could have the job's key"
  case $(id -u):$(values permitrootlogin) in
    0:no | 0:forced-commands-only) refuse_configuration permitrootlogin "does not let root log in, as whom this job runs" ;;
  esac
  require_among "$user" denyusers allowusers
  require_among "$(id -Gn)" denygroups allowgroups
}

# Arguments: names, keyword for whom nobody lets in, keyword for who alone is let in.
require_among() {
  refused=$(values "$2") allowed=$(values "$3")
  [ -z "$refused" ] || ! is_among "$1" "$refused" no || refuse_configuration "$2" "does not let $user log in, as whom this job runs"
  [ -z "$allowed" ] || is_among "$1" "$allowed" yes || refuse_configuration "$3" "does not let $user log in, as whom this job runs"
}

beside=
# However this script ends, no copy of the job's key stays behind.
trap '[ -z "$beside" ] || rm -f "$beside"' EXIT
trap 'exit 143' HUP INT TERM
[ "$whose" = given ] || [ -s "$source" ] || make_key
if [ -n "$source" ]; then
  take_key
  public=$(ssh-keygen -y -P '' -f "$private/key" </dev/null) ||
    refuse "$source is no private key that works without a passphrase. Give -o ssh-key=FILE"
  printf 'restrict %s\n' "$public" >"$private/authorized_keys"
  printf '* %s\n' "$public" >"$private/known_hosts"
  listen >>"$config"
  echo "StrictModes $(strictness)" >>"$config"
fi
# Since OpenSSH 9.8 whoever only looks whether the port is open is locked out for a while. The first word
# counts, and at the end there may be words for some users only.
if "$sshd" -t -f "$config" -o PerSourcePenalties=no 2>/dev/null; then
  { echo 'PerSourcePenalties no' && cat "$config"; } >"$config.new" && mv "$config.new" "$config"
fi
{
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
command="exec /bin/sh '$private/agent.sh' '$private'" user=$(id -un) address='' here=''
if grep -qi '^[[:space:]]*match[[:space:]=].*\(address\|host\)' "$config"; then
  address=$(address_of "$other") here=$(address_of "$own")
fi
if problem=$("$sshd" -T -f "$config" -o "ForceCommand=$command" -p "$port" \
  -C "user=$user,host=$other,addr=${address:-127.0.0.1},laddr=${here:-127.0.0.1},lport=$port" 2>&1); then
  require_login "$problem"
  exit
fi
# sshd ends its lines as terminals want them.
problem=$(printf '%s' "$problem" | tr -d '\r')
case $problem in
  *'privilege separation directory'*) refuse "$problem. Make it, as root: mkdir -p -m 0755 ${problem##*: }" ;;
  *) refuse "$sshd cannot run: $problem" ;;
esac
