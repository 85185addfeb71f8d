package dev.muster.engine.mpi;

import dev.muster.spi.FileToWrite;
import java.util.Optional;

/**
 * The shell scripts of a job of several nodes. They are for any POSIX shell and need nothing but the core utilities and
 * OpenSSH's own programs. None holds a value of the job: these come as arguments, or from the environment.
 */
final class Scripts {

    /**
     * Calls ssh, which never asks anybody anything, or what mpirun calls instead: a host, and a command for it. Without a
     * configuration of the job's own somebody else's counts.
     */
    static final String CLIENT = """
            client() {
              at=
              [ "$port" = - ] || at="-p $port"
              if [ "$config" != - ]; then
                ssh -F "$config" -o BatchMode=yes -o "ConnectTimeout=${patience:-10}" $at "$@"
                return
              fi
              # Words that the shell shall split, and do nothing else with.
              set -f
              shell=%s
              shell=${shell%%%%:*}
              case ${shell%%%% *} in
                ssh | */ssh) shell="$shell -o BatchMode=yes -o ConnectTimeout=${patience:-10}${alive:+ -o ServerAliveInterval=$alive}" ;;
              esac
              $shell $at %s "$@"
            }

            """.formatted(RemoteShell.PROGRAM_IN_SHELL, RemoteShell.ARGUMENTS_IN_SHELL);

    /**
     * What sshd runs for every login, whatever was asked for: node 0's words and questions, or mpirun's daemon.
     *
     * <p>Argument: private directory.
     */
    static final FileToWrite AGENT = script("agent", """
            umask 077
            private=$1
            asked=${SSH_ORIGINAL_COMMAND-}
            unset SSH_ORIGINAL_COMMAND SSH_CLIENT SSH_CONNECTION SSH_TTY MAIL

            # The first word counts; a reader never sees half of it.
            keep() {
              printf '%s\\n' "$2" >"$private/$1.$$" && ln "$private/$1.$$" "$private/$1" 2>/dev/null
              rm -f "$private/$1.$$"
            }

            case $asked in
              release\\ *) keep release "${asked#release }" ;;
              stop\\ *) keep stop "${asked#stop }" ;;
              ': ended')
                cat "$private"/ended.* 2>/dev/null
                exit 0
                ;;
              '')
                echo 'this sshd serves a job of Muster and gives no shell' >&2
                exit 1
                ;;
              *)
                . "$private/variables"
                export MUSTER_RANKS="$private"
                exec /bin/sh -c "$asked"
                ;;
            esac
            """);

    /**
     * Asks a host whether it lets us in. Ends with 0, with {@link Ssh#WRONG_HOST_KEY}, or with 1; the last line tells why.
     *
     * <p>Arguments: private directory, configuration of ssh or {@code -}, port or {@code -}, host, its number; then what to ask
     * it, and the name of the file, with the number behind it, for its answer, if these are not its network interfaces.
     */
    static final FileToWrite LOGIN = script("login", CLIENT + """
            umask 077
            private=$1 config=$2 port=$3 host=$4 number=$5
            question=${6-ls /sys/class/net} answer=${7-interfaces}
            if [ "$config" = "$private/ssh_config" ] && [ ! -e "$private/known_hosts" ]; then
              echo "this node's key is not ready"
              exit 1
            fi
            said=$(client "$host" "$question" 2>&1 </dev/null)
            code=$?
            case $code,$said in
              0,*)
                printf '%s\\n' "$said" >"$private/new.$number.$$"
                mv "$private/new.$number.$$" "$private/$answer.$number"
                rm -f "$private/silent.$host"
                exit 0
                ;;
              *'Host key verification failed'* | *'HOST IDENTIFICATION HAS CHANGED'*)
                echo 'wrong host key'
                exit 76
                ;;
              *'Permission denied'*) echo 'key not accepted' ;;
              *'onnection timed out'*)
                : >"$private/silent.$host"
                echo 'silent'
                ;;
              *) printf '%s\\n' "${said:-ssh ended with $code}" ;;
            esac
            exit 1
            """);

    /**
     * Tells hosts something, all at once.
     *
     * <p>Arguments: private directory, configuration of ssh or {@code -}, port or {@code -}, {@code release} or {@code stop},
     * exit code, what this node is called, reason, hosts.
     */
    static final FileToWrite TELL = script("tell", CLIENT + """
            private=$1 config=$2 port=$3 word=$4 code=$5 label=$6 reason=$7
            shift 7
            # A stop that has come from the only one to tell is known there; node 0 passes it on to the rest.
            if [ "$word" = stop ] && [ $# = 1 ] && { [ -s "$private/release" ] || [ -s "$private/stop" ]; }; then
              exit 0
            fi
            # Whatever is not about another node or a rank is about this node.
            case $reason in
              'node '* | 'rank '*) ;;
              *) reason="$label: $reason" ;;
            esac
            tell() {
              # Whoever was silent the last time will hardly hear anything now.
              patience=
              [ ! -e "$private/silent.$1" ] || patience=2
              said=$(client "$1" "$word $code $reason" 2>&1 </dev/null) && return
              echo "$1" >>"$private/unheard"
              case $said in *'timed out'* | *'No route to host'*) : >"$private/silent.$1" ;; esac
            }

            for host; do
              tell "$host" &
            done
            wait
            """);

    /**
     * Sends TERM to the ranks of this run on hosts where no launcher runs, as far as ssh reaches. They are known by their
     * marker, which travels on the standard input, as no other user may see it.
     *
     * <p>Arguments: private directory, configuration of ssh or {@code -}, port or {@code -}, hosts.
     */
    static final FileToWrite SIGNAL = script("signal", CLIENT + """
            config=$2 port=$3
            shift 3
            here() {
              echo "$(cat /proc/sys/kernel/random/boot_id) $(readlink /proc/self/ns/pid)"
            }
            end_ranks() {
              echo "marker=$MUSTER_JOB launchers='$(here)'"
              cat <<'SCRIPT'
            # The launcher itself tells those of its own container, and nobody wants to be told twice.
            [ "$launchers" != "$(cat /proc/sys/kernel/random/boot_id) $(readlink /proc/self/ns/pid)" ] || exit 0
            for file in /proc/[0-9]*/environ; do
              text=$(tr '\\0' '\\n' <"$file" 2>/dev/null) || continue
              case $text in *"MUSTER_JOB=$marker"*) ;; *) continue ;; esac
              case $text in
                *OMPI_COMM_WORLD_RANK=* | *PMI_RANK=* | *HOROVOD_RANK=*)
                  pid=${file#/proc/}
                  kill -TERM "${pid%/environ}"
                  ;;
              esac
            done
            SCRIPT
            }
            for host; do
              end_ranks | client "$host" /bin/sh >/dev/null 2>&1 &
            done
            wait
            """);

    private Scripts() {}

    static FileToWrite script(String name, String text) {
        return new FileToWrite(name, Optional.empty(), name + ".sh", text);
    }
}
