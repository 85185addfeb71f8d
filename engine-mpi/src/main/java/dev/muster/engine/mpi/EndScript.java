package dev.muster.engine.mpi;

import dev.muster.spi.FileToWrite;
import java.util.Optional;

/**
 * Finds out why mpirun failed: whether a host answers no more, which is 75; else which rank on which host it was, as the ranks'
 * own shells have noted; else what mpirun itself said.
 */
final class EndScript {

    /** The file in the private directory that tells why mpirun failed: {@code CODE WHY}. */
    static final String WHY = "why";

    /** Arguments: private directory, file of hosts, configuration of ssh or {@code -}, port or {@code -}, code, log, begin, style. */
    static final FileToWrite FILE = new FileToWrite("end", Optional.empty(), "end.sh", """
            private=$1 hosts=$2 config=$3 port=$4 code=$5 log=$6 begin=$7 style=$8
            why=

            # Asks all other hosts what their ranks have left; whoever does not let us in any more is lost.
            ask() {
              node=0
              while read -r where name rest; do
                if [ "$node" -gt 0 ] && [ "$where" != - ]; then
                  ask_host &
                fi
                node=$((node + 1))
              done <"$hosts"
              wait
              if [ -s "$private/lost" ]; then
                why=$(cat "$private/lost") code=75
              fi
            }

            ask_host() {
              /bin/sh "$private/login.sh" "$private" "$config" "$port" "$where" "$node" ': ended' answer \\
                >"$private/said.$node" </dev/null ||
                printf 'node %s (%s) is lost: %s\\n' "$node" "$name" "$(tail -n 1 "$private/said.$node")" >"$private/lost"
            }

            # All notes of all hosts: TIME CODE RANK HOST WHAT
            notes() {
              node=0
              while read -r where name rest; do
                if [ "$node" -gt 0 ]; then
                  cat "$private/answer.$node" 2>/dev/null
                else
                  cat "$private"/ended.* 2>/dev/null
                fi | while read -r time its_code rank what; do
                  [ -z "$its_code" ] || printf '%s %s %s %s %s\\n' "$time" "$its_code" "$rank" "$name" "$what"
                done
                node=$((node + 1))
              done <"$hosts"
            }

            # The first whose code mpirun has made its own: those that it has ended itself have another one, or came later.
            # Hydra's code is none of a rank when several have ended badly; it ends the others so that they leave no note.
            first_rank() {
              notes | sort -n | while read -r time its_code rank name what; do
                if [ "$its_code" = "$code" ] || [ "$style" = hydra ]; then
                  code=$its_code
                  echo "$code $(tell "$rank" "$name" "$what")"
                  break
                fi
              done
            }

            tell() {
              if [ -n "$3" ]; then
                echo "$3 was not found on $2 (rank $1)"
              elif [ "$code" -gt 128 ] && [ "$code" -lt 193 ]; then
                echo "rank $1 on $2 was killed by signal $((code - 128)) (exit code $code)"
              else
                echo "rank $1 on $2 ended with exit code $code"
              fi
            }

            # The host on which a rank runs: they fill one host after another.
            host_of() {
              skip=$1
              while read -r where name slots rest; do
                [ "$skip" -ge "$slots" ] || break
                skip=$((skip - slots))
              done <"$hosts"
              printf '%s' "$name"
            }

            open_mpi_says() {
              case $text in
                *'unable to find the specified executable file'* | *'could not find an executable'*)
                  what=${text##*Executable: } on=${text##*Node: }
                  why="${what%%[[:cntrl:]]*} was not found on ${on%%[[:cntrl:]]*}"
                  code=127
                  ;;
                *'that process rank '*' exited on signal '*)
                  rank=${text##*that process rank } signal=${text##*exited on signal }
                  rank=${rank%% *}
                  why="rank $rank on $(host_of "$rank") was killed by signal ${signal%%[. ]*}"
                  ;;
                *'exited with non-zero status'*'Process name: [['*)
                  rank=${text##*Process name: \\[\\[} rank=${rank#*],}
                  rank=${rank%%]*}
                  why="rank $rank on $(host_of "$rank") ended with exit code $code"
                  ;;
                # Often this is all that it says; if it is not, the rest comes at once.
                *'Primary job '*' terminated normally, but '*) tries=$((tries + 4)) ;;
              esac
            }

            # What mpirun itself said last; its words may still be on their way into the log.
            explain() {
              case $style in
                hydra) says=hydra_says most=8000 ;;
                *) says=open_mpi_says most=4000 ;;
              esac
              tries=0
              while [ "$tries" -lt 20 ] && [ -z "$why" ]; do
                text=$(tail -c "+$begin" "$log" 2>/dev/null | tail -c "$most")
                "$says"
                tries=$((tries + 1))
                [ -n "$why" ] || sleep 0.02 || break
              done
            }

            """ + HydraEnd.IN_SHELL + """
            ask
            if [ -z "$why" ]; then
              first=$(first_rank)
              code=${first%% *} why=${first#* }
              code=${code:-$5}
            fi
            explain
            printf '%s %s\\n' "$code" "$why" >"$private/why"
            """);

    private EndScript() {}
}
