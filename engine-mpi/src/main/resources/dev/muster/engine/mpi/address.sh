# shellcheck shell=sh
# Put before scripts that look up hosts: prints the address of a host, IPv4 before IPv6. An address needs no lookup; a lookup fails on
# a machine that has only loopback addresses.
address_of() {
  case $1 in
    *:*) echo "$1" ;;
    *[!0-9.]*) { getent ahostsv4 "$1" || getent ahosts "$1"; } 2>/dev/null | sed -n '1s/[[:space:]].*//p' ;;
    *) echo "$1" ;;
  esac
}
