package dev.muster.engine.mpi;

import dev.muster.spi.FileToWrite;
import java.util.Optional;

/**
 * Finds out which network interfaces MPI may use, once all hosts have answered: those of the given list that every host has.
 * Where names differ there may be none; then it is the smallest subnet that has the addresses of all hosts.
 */
final class InterfacesScript {

    /**
     * Prints names with commas between them, or a subnet as {@code 10.0.0.0/16}, or nothing when neither can be had.
     *
     * <p>Arguments: private directory, list of interfaces, file of hosts. What the other hosts have stands, a name on each line,
     * in the private directory's files {@code interfaces.NODE}, as {@link Scripts#LOGIN} leaves them.
     */
    static final FileToWrite FILE = new FileToWrite("interfaces", Optional.empty(), "interfaces.sh", """
            private=$1 interfaces=$2 hosts=$3

            has_line() {
              while read -r line; do
                [ "$line" = "$2" ] && return
              done <"$1"
              return 1
            }

            # Whether this host and all others have an interface of this name.
            is_everywhere() {
              [ -e "/sys/class/net/$1" ] || return 1
              for file in "$private"/interfaces.*; do
                case $file in
                  *.sh) ;;
                  *) [ ! -f "$file" ] || has_line "$file" "$1" || return 1 ;;
                esac
              done
            }

            named() {
              found=
              case $interfaces in *[\\^=]*) return ;; esac
              IFS=,
              for name in $interfaces; do
                if is_everywhere "$name"; then
                  found=$found,$name
                fi
              done
              printf '%s' "${found#,}"
            }

            number() {
              IFS=.
              set -- $1
              echo $((($1 << 24) + ($2 << 16) + ($3 << 8) + $4))
            }

            # The smallest IPv4 subnet that has all hosts; nothing when there is none.
            subnet() {
              low= high=
              while read -r where name slots address; do
                case $address in *[!0-9.]* | '') return ;; esac
                number=$(number "$address")
                [ -n "$low" ] || low=$number high=$number
                [ "$number" -ge "$low" ] || low=$number
                [ "$number" -le "$high" ] || high=$number
              done <"$hosts"
              [ -n "$low" ] || return
              bits=32
              while [ $((low >> (32 - bits))) -ne $((high >> (32 - bits))) ]; do
                bits=$((bits - 1))
              done
              low=$((low >> (32 - bits) << (32 - bits)))
              [ "$bits" -lt 8 ] ||
                echo "$((low >> 24)).$((low >> 16 & 255)).$((low >> 8 & 255)).$((low & 255))/$bits"
            }

            include=$(named)
            [ -n "$include" ] || include=$(subnet)
            printf '%s' "$include"
            """);

    private InterfacesScript() {}
}
