# shellcheck shell=sh
# The beginning of scripts that look up hosts: the address of a host, IPv4 before IPv6. What is an address needs no lookup, which fails on
# a machine that has none but loopback addresses.
address_of() {
  case $1 in
    *:*) echo "$1" ;;
    *[!0-9.]*) { getent ahostsv4 "$1" || getent ahosts "$1"; } 2>/dev/null | sed -n '1s/[[:space:]].*//p' ;;
    *) echo "$1" ;;
  esac
}
