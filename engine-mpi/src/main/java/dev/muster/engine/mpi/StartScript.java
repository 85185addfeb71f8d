package dev.muster.engine.mpi;

import dev.muster.spi.FileToWrite;
import java.util.Optional;

/**
 * The shell script under which mpirun runs: what can be known only when all hosts have answered, and what mpirun's end means.
 *
 * <p>Which network interfaces MPI may use: those of the given list that every host has. Where names differ there may be none;
 * then it is the smallest subnet that has the addresses of all hosts. Ends with mpirun's exit code, except that a command
 * which is not found is 127, and a host that does not answer any more is 75.
 */
final class StartScript {

    /** Where the script shall add nothing to the command. */
    static final String PLAIN = "none";

    /** Where the command calls ssh itself and cannot be told with which configuration. */
    static final String HOROVODRUN = "horovodrun";

    /** The same, and it has to be told which of the interfaces there are. */
    static final String HOROVODRUN_INTERFACES = "horovodrun-interfaces";

    /** The file in the private directory that tells why mpirun failed. */
    static final String WHY = "why";

    /**
     * Arguments: private directory, the log of mpirun, whose options it takes ({@link #style}), list of interfaces, hostfile,
     * ranks per host, the script that logs in, configuration of ssh or {@code -}, port or {@code -}, how many hosts follow,
     * their names, mpirun, its arguments.
     */
    static final FileToWrite FILE =
            new FileToWrite("start", Optional.empty(), "start.sh", """
            private=$1 log=$2 style=$3 interfaces=$4 hostfile=$5 slots=$6 login=$7 config=$8 port=$9
            shift 9
            hosts=$1
            shift
            names=
            while [ "$hosts" -gt 0 ]; do
              names="$names $1"
              shift
              hosts=$((hosts - 1))
            done

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
                [ ! -f "$file" ] || has_line "$file" "$1" || return 1
              done
            }

            named() {
              found=
              case $interfaces in *[\\^=]*) return ;; esac
              old_ifs=$IFS
              IFS=,
              for name in $interfaces; do
                if is_everywhere "$name"; then
                  found=$found,$name
                fi
              done
              IFS=$old_ifs
              printf '%s' "${found#,}"
            }

            number() {
              old_ifs=$IFS
              IFS=.
              set -- $1
              IFS=$old_ifs
              echo $((($1 << 24) + ($2 << 16) + ($3 << 8) + $4))
            }

            # The smallest IPv4 subnet that has all hosts of the hostfile; nothing when there is none.
            subnet() {
              low= high=
              while read -r address rest; do
                case $address in *[!0-9.]* | '') return ;; esac
                number=$(number "$address")
                [ -n "$low" ] || low=$number high=$number
                [ "$number" -ge "$low" ] || low=$number
                [ "$number" -le "$high" ] || high=$number
              done <"$hostfile"
              [ -n "$low" ] || return
              bits=32
              while [ $((low >> (32 - bits))) -ne $((high >> (32 - bits))) ]; do
                bits=$((bits - 1))
              done
              low=$((low >> (32 - bits) << (32 - bits)))
              [ "$bits" -lt 8 ] ||
                echo "$((low >> 24)).$((low >> 16 & 255)).$((low >> 8 & 255)).$((low & 255))/$bits"
            }

            # The host on which a rank runs: they fill one host after another.
            host_of() {
              skip=$(($1 / slots))
              for name in $names; do
                [ "$skip" -gt 0 ] || break
                skip=$((skip - 1))
              done
              printf '%s' "$name"
            }

            # What mpirun itself said last; its words may still be on their way into the log.
            explain() {
              tries=0
              while [ "$tries" -lt 20 ] && [ -z "$why" ]; do
                text=$(tail -c "+$begin" "$log" 2>/dev/null | tail -c 4000)
                case $text in
                  *'unable to find the specified executable file'* | *'could not find an executable'*)
                    what=${text##*Executable: } on=${text##*Node: }
                    why="${what%%[[:cntrl:]]*} was not found on${on%%[[:cntrl:]]*}"
                    code=127
                    ;;
                  *'that process rank '*' exited on signal '*)
                    rank=${text##*that process rank } signal=${text##*exited on signal }
                    why="rank ${rank%% *} on $(host_of "${rank%% *}") was killed by signal ${signal%%[. ]*}"
                    ;;
                  *'exited with non-zero status'*'Process name: [['*)
                    rank=${text##*Process name: \\[\\[} rank=${rank#*],}
                    why="rank ${rank%%]*} on $(host_of "${rank%%]*}") ended with exit code $code"
                    ;;
                  # Often this is all that it says; if it is not, the rest comes at once.
                  *'Primary job '*' terminated normally, but '*) tries=$((tries + 4)) ;;
                esac
                tries=$((tries + 1))
                [ -n "$why" ] || sleep 0.02 || break
              done
            }

            """ + HydraEnd.IN_SHELL + """
            # Whoever lets us in no more has made mpirun fail.
            look_for_lost() {
              node=0
              for name in $names; do
                if [ "$node" -gt 0 ]; then
                  /bin/sh "$login" "$private" "$config" "$port" "$(address_of "$node")" "$node" >"$private/said.$node" ||
                    printf 'node %s (%s) is lost: %s\n' "$node" "$name" "$(cat "$private/said.$node")" >"$private/lost" &
                fi
                node=$((node + 1))
              done
              wait
              if [ -s "$private/lost" ]; then
                why=$(cat "$private/lost") code=75
              fi
            }

            # A user's hostfile may have comments, and Hydra's has the slots behind a colon.
            address_of() {
              line=0
              while read -r address rest; do
                address=${address%%#*}
                [ "$style" != hydra ] || address=${address%:*}
                [ -n "$address" ] || continue
                [ "$line" -ne "$1" ] || printf '%s' "$address"
                line=$((line + 1))
              done <"$hostfile"
            }

            add() {
              program=$1
              shift
              case $style in
                openmpi) set -- -mca btl_tcp_if_include "$include" -mca oob_tcp_if_include "$include" "$@" ;;
                openmpi5) set -- --mca btl_tcp_if_include "$include" --prtemca oob_tcp_if_include "$include" "$@" ;;
                horovodrun-interfaces) set -- --network-interface "$include" "$@" ;;
                hydra) case $include in */*) ;; *) set -- -iface "${include%%,*}" "$@" ;; esac ;;
              esac
              run "$program" "$@"
            }

            call_ssh_with_configuration() {
              [ "$config" != - ] || return
              mkdir "$private/bin"
              # What ssh is told first counts: horovodrun would have it trust anybody.
              printf '#!/bin/sh\nexec "%s" -F "%s" -o StrictHostKeyChecking=yes "$@"\n' \
                "$(command -v ssh)" "$config" >"$private/bin/ssh"
              chmod 700 "$private/bin/ssh"
              export PATH="$private/bin:$PATH"
            }

            # In the background, so that signals are passed on at once. A shell gives what it starts there neither its
            # input nor SIGQUIT, which env gives back where it can.
            run() {
              ! env --default-signal=QUIT true 2>/dev/null || set -- env --default-signal=QUIT "$@"
              exec 3<&0
              "$@" <&3 3<&- &
              child=$! code=
              while :; do
                interrupted=
                wait "$child"
                waited=$?
                # After a signal the end may have been told already.
                [ "$waited" -eq 127 ] && [ -n "$code" ] || code=$waited
                [ -n "$interrupted" ] || break
                # It is still there, so that this was not its code.
                ! kill -s 0 "$child" 2>/dev/null || code=
              done
            }

            pass_on() {
              interrupted=yes
              [ -z "$child" ] || kill -s "$1" "$child" 2>/dev/null
            }

            # A log that is no file is not written, and reading a pipe would take for ever.
            [ -f "$log" ] || [ ! -e "$log" ] || log=/dev/null

            # Of what an earlier run has left in the log, nothing counts.
            begin=$(($(wc -c 2>/dev/null <"$log" || echo 0) + 1))

            # A signal to the process group reaches mpirun too, which knows what to do with it; this shell only waits.
            # Those of the user come to this shell alone; mpirun passes them on to all ranks.
            child= interrupted= stopped= include= why=
            trap 'interrupted=yes stopped=yes' HUP INT TERM
            trap 'pass_on USR1' USR1
            trap 'pass_on USR2' USR2
            case $style in
              none) ;;
              horovodrun) call_ssh_with_configuration ;;
              horovodrun-interfaces)
                call_ssh_with_configuration
                include=$(named)
                ;;
              *)
                include=$(named)
                [ -n "$include" ] || include=$(subnet)
                ;;
            esac
            if [ -n "$include" ]; then
              add "$@"
            else
              run "$@"
            fi
            if [ "$code" -ne 0 ] && [ -z "$stopped" ]; then
              case $style in hydra) explain_hydra ;; *) explain ;; esac
              look_for_lost
            fi
            printf '%s %s\\n' "$code" "$why" >"$private/why"
            exit "$code"
            """);

    private StartScript() {}

    /** What the script calls the options of an mpirun, unless it is {@link #PLAIN} or {@link #HOROVODRUN}. */
    static String style(Mpi.Kind kind) {
        return switch (kind) {
            case OPEN_MPI_4 -> "openmpi";
            case OPEN_MPI_5 -> "openmpi5";
            case INTEL, MPICH -> "hydra";
        };
    }
}
