# shellcheck shell=sh
# The beginning of start.sh: finds out where the hosts are, by addresses, and writes the hostfile with them.

# Writes the private directory's files "places" (as the file of hosts, with addresses) and "hostfile". Ends with 75 when a name cannot be
# resolved, with 143 in a stop, with 78 when mpirun cannot use an address that stands there instead of a name.
#
# Arguments: private directory, file of hosts ("LOGIN NAME SLOTS HOST" each), form of the hostfile ("openmpi" or "hydra"),
# seconds for which names that do not resolve yet are waited for.
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
      # A stop ends what this shell has started, and this shell itself only when it starts nothing more.
      [ ! -e "$private/stopping" ] || return 143
    done
    # Open MPI would take such an address for a name that no host can have, and stand still.
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
