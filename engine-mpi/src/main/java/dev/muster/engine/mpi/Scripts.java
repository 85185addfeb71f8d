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
    private static final String CLIENT = """
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
                ssh | */ssh) shell="$shell -o BatchMode=yes -o ConnectTimeout=${patience:-10}" ;;
              esac
              $shell $at %s "$@"
            }

            """.formatted(RemoteShell.PROGRAM_IN_SHELL, RemoteShell.ARGUMENTS_IN_SHELL);

    /**
     * Before sshd starts: the job's key, and the variables of this node for the ranks that mpirun starts here.
     *
     * <p>Arguments: private directory, sshd, its configuration, the key's file, whether to make that file ({@code make} or
     * {@code use}), this host, another one, whether the nodes are one machine ({@code together}) or not ({@code apart}), names
     * of variables.
     */
    static final FileToWrite PREPARE = script("prepare", """
            umask 077
            private=$1 sshd=$2 config=$3 source=$4 make=$5 own=$6 other=$7 nodes=$8
            shift 8

            refuse() {
              printf '%s\\n' "$*" >&2
              exit 69
            }

            quote() {
              rest=$1 quoted=
              while :; do
                case $rest in
                  *\\'*) quoted=$quoted${rest%%\\'*}\\'\\\\\\'\\' rest=${rest#*\\'} ;;
                  *) break ;;
                esac
              done
              printf "'%s'" "$quoted$rest"
            }

            # Of all nodes that make a key at the same time the first one's becomes the job's: a link is made once.
            make_key() {
              ssh-keygen -q -t ed25519 -N '' -C muster -f "$private/new" </dev/null ||
                refuse "ssh-keygen cannot make a key. Install OpenSSH's client, or give -o ssh-key=FILE"
              beside=$source.$(uname -n).$$
              # A copy of the key must not stay behind when this node is stopped just now.
              trap 'rm -f "$beside"' EXIT
              trap 'exit 143' HUP INT TERM
              cp "$private/new" "$beside" ||
                refuse "cannot write $beside. Give -o shared-directory=DIR that all nodes can write"
              ln "$beside" "$source" 2>/dev/null
              rm -f "$beside" "$private/new" "$private/new.pub"
            }

            address_of() {
              # What is an address needs no lookup, which fails on a machine that has none but loopback addresses.
              case $1 in
                *[!0-9.]*) ;;
                *)
                  echo "$1"
                  return
                  ;;
              esac
              getent ahostsv4 "$1" 2>/dev/null | {
                read -r address rest
                echo "$address"
              }
            }

            # Only at the address by which the others know this host, where it is one of its own. Many hosts give their own
            # name a loopback address that is of no use for others.
            listen() {
              address=$(address_of "$own")
              case $address in
                '') return ;;
                127.*) case $(address_of "$other") in 127.*) ;; *) return ;; esac ;;
                *) grep -A1 -F -- "|-- $address" /proc/net/fib_trie 2>/dev/null | grep -q 'host LOCAL' || return ;;
              esac
              echo "ListenAddress $address"
            }

            if [ "$make" = make ] && [ ! -s "$source" ]; then
              make_key
            fi
            if [ -n "$source" ]; then
              cat "$source" >"$private/key" ||
                refuse "the key $source cannot be read. Make it readable for this user, or give -o ssh-key=FILE"
              public=$(ssh-keygen -y -P '' -f "$private/key" </dev/null) ||
                refuse "$source is no private key that works without a passphrase. Give -o ssh-key=FILE"
              printf 'restrict %s\\n' "$public" >"$private/authorized_keys"
              listen >>"$config"
              # In a user namespace that does not know root, sshd would take root's directories for a stranger's; the
              # launcher has looked at those above the private one itself.
              case $(stat -c %u /) in
                0 | "$(id -u)") echo 'StrictModes yes' ;;
                *) echo 'StrictModes no' ;;
              esac >>"$config"
            fi
            # Since OpenSSH 9.8 whoever only looks whether the port is open is locked out for a while. The first word
            # counts, and at the end there may be words for some users only.
            if "$sshd" -t -f "$config" -o PerSourcePenalties=no 2>/dev/null; then
              { echo 'PerSourcePenalties no' && cat "$config"; } >"$config.new" && mv "$config.new" "$config"
            fi
            {
              for name; do
                eval "value=\\$$name"
                printf 'export %s=%s\\n' "$name" "$(quote "$value")"
              done
              # Daemons of one job on one machine would have one directory, and one that finds it half made by another
              # ends without a word.
              if [ "$nodes" = together ]; then
                quoted=$(quote "$private")
                printf 'export OMPI_MCA_orte_tmpdir_base=%s PRTE_MCA_prte_tmpdir_base=%s\\n' "$quoted" "$quoted"
              fi
            } >"$private/variables"

            # Last of all and at once: whoever logs in before would take every host for a wrong one.
            if [ -n "$source" ]; then
              printf '* %s\\n' "$public" >"$private/known_hosts.new"
              mv "$private/known_hosts.new" "$private/known_hosts"
            fi
            problem=$("$sshd" -t -f "$config" 2>&1) && exit
            # sshd ends its lines as terminals want them.
            problem=$(printf '%s' "$problem" | tr -d '\\r')
            case $problem in
              *'privilege separation directory'*)
                refuse "$problem. Make it, as root: mkdir -p -m 0755 ${problem##*: }"
                ;;
              *) refuse "$sshd cannot run: $problem" ;;
            esac
            """);

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

    private static FileToWrite script(String name, String text) {
        return new FileToWrite(name, Optional.empty(), name + ".sh", text);
    }
}
