package dev.muster.engine.mpi;

import dev.muster.spi.FileToWrite;
import java.util.Optional;

/**
 * The shell script under which mpirun runs: it adds what can be known only when all hosts have answered, hands signals on, and
 * has {@link EndScript} find out what mpirun's end means.
 */
final class StartScript {

    /** Where the script shall add nothing to the command. */
    static final String PLAIN = "none";

    /** Where the command calls ssh itself and cannot be told with which configuration. */
    static final String HOROVODRUN = "horovodrun";

    /** The same, and it has to be told which of the interfaces there are. */
    static final String HOROVODRUN_INTERFACES = "horovodrun-interfaces";

    /**
     * Arguments: private directory, the log of mpirun, whose options it takes ({@link #style}), list of interfaces, file of
     * hosts, configuration of ssh or {@code -}, port or {@code -}, mpirun, its arguments.
     *
     * <p>What it sets itself begins with {@code muster_}, since mpirun gives ranks what the shell gives mpirun.
     */
    static final FileToWrite FILE =
            new FileToWrite("start", Optional.empty(), "start.sh", RankScript.RESTORE + RankScript.HAS_NO_ROOM + """
            muster_private=$1 muster_log=$2 muster_style=$3 muster_interfaces=$4 muster_hosts=$5 muster_config=$6 muster_port=$7
            shift 7

            add() {
              muster_program=$1
              shift
              case $muster_style in
                openmpi) set -- -mca btl_tcp_if_include "$muster_include" -mca oob_tcp_if_include "$muster_include" "$@" ;;
                openmpi5) set -- --mca btl_tcp_if_include "$muster_include" --prtemca oob_tcp_if_include "$muster_include" "$@" ;;
                horovodrun-interfaces) case $muster_include in */*) ;; *) set -- --network-interface "$muster_include" "$@" ;; esac ;;
                hydra) case $muster_include in */*) ;; *) set -- -iface "${muster_include%%,*}" "$@" ;; esac ;;
              esac
              run "$muster_program" "$@"
            }

            call_ssh_with_configuration() {
              [ "$muster_config" != - ] || return
              mkdir "$muster_private/bin"
              # What ssh is told first counts: horovodrun would have it trust anybody.
              printf '#!/bin/sh\\nexec "%s" -F "%s" -o StrictHostKeyChecking=yes "$@"\\n' \\
                "$(command -v ssh)" "$muster_config" >"$muster_private/bin/ssh"
              chmod 700 "$muster_private/bin/ssh"
              export PATH="$muster_private/bin:$PATH"
            }

            # In the background, so that signals are passed on at once. A shell gives what it starts there neither its
            # input nor SIGQUIT, which env gives back where it can.
            run() {
              ! env --default-signal=QUIT true 2>/dev/null || set -- env --default-signal=QUIT "$@"
              exec 3<&0
              (
                restore
                [ -z "${muster_last-}" ] || set -- env "$muster_last" "$@"
                exec "$@" 3<&-
              ) <&3 &
              muster_child=$! muster_code=
              while :; do
                muster_interrupted=
                # bash tells on this output how a process in the background was killed.
                { wait "$muster_child"; } 2>/dev/null
                muster_waited=$?
                # After a signal the end may have been told already.
                [ "$muster_waited" -eq 127 ] && [ -n "$muster_code" ] || muster_code=$muster_waited
                [ -n "$muster_interrupted" ] || break
                # It is still there, so that this was not its code.
                ! kill -s 0 "$muster_child" 2>/dev/null || muster_code=
              done
            }

            pass_on() {
              muster_interrupted=yes
              [ -z "$muster_child" ] || kill -s "$1" "$muster_child" 2>/dev/null
            }

            # A log that is no file is not written, and reading a pipe would take for ever.
            [ -f "$muster_log" ] || [ ! -e "$muster_log" ] || muster_log=/dev/null

            # Of what an earlier run has left in the log, nothing counts.
            muster_begin=$(($(wc -c 2>/dev/null <"$muster_log" || echo 0) + 1))

            # A signal to the process group reaches mpirun too, which knows what to do with it; this shell only waits.
            # Those of the user come to this shell alone; mpirun passes them on to all ranks.
            muster_child= muster_interrupted= muster_stopped= muster_include=
            trap 'muster_interrupted=yes muster_stopped=yes' HUP INT TERM
            trap 'pass_on USR1' USR1
            trap 'pass_on USR2' USR2
            case $muster_style in
              none) ;;
              horovodrun) call_ssh_with_configuration ;;
              *)
                [ "$muster_style" != horovodrun-interfaces ] || call_ssh_with_configuration
                muster_include=$(/bin/sh "$muster_private/interfaces.sh" "$muster_private" "$muster_interfaces" "$muster_hosts")
                ;;
            esac
            export MUSTER_RANKS="$muster_private"
            ! has_no_room || export TMPDIR="$muster_private"
            if [ -n "$muster_include" ]; then
              add "$@"
            else
              run "$@"
            fi
            if [ "$muster_code" -ne 0 ] && [ -z "$muster_stopped" ]; then
              /bin/sh "$muster_private/end.sh" "$muster_private" "$muster_hosts" "$muster_config" "$muster_port" \\
                "$muster_code" "$muster_log" "$muster_begin" "$muster_style"
              read -r muster_code muster_rest <"$muster_private/why"
            else
              echo "$muster_code" >"$muster_private/why"
            fi
            exit "$muster_code"
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
