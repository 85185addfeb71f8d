# shellcheck shell=sh
# Put before start.sh: finds the addresses of the hosts, and writes the hostfile with them.

# Writes the files "places" (the file of hosts, with addresses) and "hostfile" of the private directory. Ends with 75 when a name does
# not resolve, with 143 in a stop, with 78 when the file of hosts has an address that mpirun cannot use.
#
# Arguments: private directory, file of hosts (lines "LOGIN NAME SLOTS HOST"), form of the hostfile ("openmpi" or "hydra"),
# seconds to wait for names that do not resolve yet.
resolve() {
  private=$1 hosts=$2 form=$3 patience=$4 told=''
  wait_for "$patience"
  : >"$private/places"
  : >"$private/hostfile"
  while read -r login name slots host; do
    until address=$(address_of "$host") && [ -n "$address" ]; do
      [ "$told" = "$name" ] || echo "waiting for $name: its name does not resolve on this host"
      told=$name
      if is_over; then
        echo "the name of $name does not resolve on this host" >"$private/why"
        return 75
      fi
      sleep 1
      # In a stop the launcher ends the processes of this shell first. The shell itself must start nothing more.
      [ ! -e "$private/stopping" ] || return 143
    done
    # Open MPI would take an IPv6 address for an invalid name, and hang.
    case $form:$address in
      openmpi:*:*)
        if [ "$host" = "$address" ]; then
          echo "Open MPI takes no IPv6 address for a host: give $address a name" >"$private/why"
          return 78
        fi
        address=$host
        ;;
    esac
    echo "$login $name $slots $address" >>"$private/places"
    case $form in
      hydra) echo "$address:$slots" >>"$private/hostfile" ;;
      openmpi) echo "$address slots=$slots" >>"$private/hostfile" ;;
    esac
  done <"$hosts"
}
