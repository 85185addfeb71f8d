# shellcheck shell=sh
# Put before start.sh: finds the network interfaces that MPI may use.

# Whether this host, and all other hosts that have answered, have an interface of this name.
is_everywhere() {
  [ -e "/sys/class/net/$1" ] || return 1
  for file in "$private"/interfaces.[0-9]*; do
    [ ! -f "$file" ] || grep -qxF -- "$1" "$file" || return 1
  done
}

named() {
  found=
  # Only NCCL knows such patterns.
  case $interfaces in *'^'* | *=*) return ;; esac
  IFS=,
  for name in $interfaces; do
    ! is_everywhere "$name" || found=$found,$name
  done
  printf '%s' "${found#,}"
}

number() {
  IFS=.
  # shellcheck disable=SC2086
  set -- $1
  echo $((($1 << 24) + ($2 << 16) + ($3 << 8) + $4))
}

# Prints the smallest IPv4 subnet with all hosts. One address must be this host's own. Prints nothing when there is no such subnet.
subnet() {
  low='' high='' own=''
  while read -r _ _ _ address; do
    case $address in *[!0-9.]* | 127.* | '') return ;; esac
    ! grep -A1 -- "|-- $address\$" /proc/net/fib_trie 2>/dev/null | grep -q 'host LOCAL' || own=yes
    number=$(number "$address")
    [ -n "$low" ] || low=$number high=$number
    [ "$number" -ge "$low" ] || low=$number
    [ "$number" -le "$high" ] || high=$number
  done <"$hosts"
  [ -n "$own$1" ] && [ -n "$low" ] || return
  bits=32
  while [ $((low >> (32 - bits))) -ne $((high >> (32 - bits))) ]; do
    bits=$((bits - 1))
  done
  low=$((low >> (32 - bits) << (32 - bits)))
  [ "$bits" -lt 8 ] ||
    echo "$((low >> 24)).$((low >> 16 & 255)).$((low >> 8 & 255)).$((low & 255))/$bits"
}

# Prints names with commas between them, or a subnet as 10.0.0.0/16, or nothing when neither is known.
#
# Arguments: private directory, list of interfaces, file of hosts (lines "LOGIN NAME SLOTS ADDRESS"), and the result that the caller
# accepts: only names ("names") or also a subnet ("any"). The files interfaces.NODE of the private directory have the interfaces of hosts
# that were asked, one name per line.
interfaces() {
  private=$1 interfaces=$2 hosts=$3 kind=$4 answered='' include=''
  for file in "$private"/interfaces.[0-9]*; do
    [ ! -f "$file" ] || answered=yes
  done
  # If no host was asked, only the addresses of hosts are known.
  [ "$kind" = names ] || [ -n "$answered" ] || include=$(subnet '')
  [ -n "$include" ] || include=$(named)
  [ -n "$include" ] || [ "$kind" = names ] || include=$(subnet "$answered")
  printf '%s' "$include"
}
