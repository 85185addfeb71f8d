package dev.muster.engine.mpi;

import dev.muster.spi.FileToWrite;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The shell script under which every rank runs. It keeps on the rank's own host how the rank ended, since mpirun often tells
 * nobody which rank it was that failed.
 *
 * <p>Whoever runs something for a rank sets {@link #PLACE} in its environment: the private directory of that node's launcher,
 * which has the script and takes its notes. Where it is not set the rank runs without.
 */
final class RankScript {

    /** The private directory of the launcher on the rank's host. */
    static final String PLACE = "MUSTER_RANKS";

    /** What {@link Scripts#AGENT} answers with the notes of its host, and any other shell with nothing. */
    static final String QUESTION = ": ended";

    /**
     * What a shell that changes variables itself gives back to what it starts; {@code muster_last} is left to {@code env}. Of the
     * usual shells only bash changes any that matter, and dash, which changes none, drops those whose names no shell could write.
     */
    static final String RESTORE = """
            restore() {
              [ -n "${BASH_VERSION-}" ] || return 0
              unset SHLVL OLDPWD
              while IFS= read -r -d '' muster_entry; do
                case $muster_entry in
                  # bash sets it anew for every program that it starts.
                  _=*) muster_last=$muster_entry ;;
                  SHLVL=* | OLDPWD=* | IFS=* | OPTIND=* | LINENO=* | PS[124]=*) export "${muster_entry?}" ;;
                esac
              done </proc/$$/environ
            }

            """;

    /**
     * Whether an MPI would find no place for its own files, without which none can start: then the private directory is its
     * {@code TMPDIR}. It makes the last part of the path itself.
     */
    static final String HAS_NO_ROOM = """
            has_no_room() {
              muster_room=${TMPDIR:-${TEMP:-${TMP:-/tmp}}}
              [ -e "$muster_room" ] || muster_room=${muster_room%/*}/
              ! [ -w "$muster_room" ]
            }

            """;

    /**
     * Arguments: the command. The shell only waits: signals go to the whole process group, and are the rank's business.
     *
     * <p>A note is {@code TIME CODE RANK WHAT} in the file {@code ended.RANK}: nanoseconds of this host's clock, exit code, and
     * the name of a command that was not found. Ranks that end with 0 leave none.
     */
    static final FileToWrite FILE = new FileToWrite("rank", Optional.empty(), "rank.sh", RESTORE + """
            muster_place=$MUSTER_RANKS
            unset MUSTER_RANKS
            muster_rank=${OMPI_COMM_WORLD_RANK-${PMIX_RANK-${PMI_RANK-0}}}
            # Where Open MPI tells a rank its command, it shall be the rank's own.
            if [ -n "${OMPI_COMMAND-}" ]; then
              muster_program=$1
              OMPI_COMMAND=${1##*/}
              shift
              OMPI_ARGV=$*
              set -- "$muster_program" "$@"
              [ -n "$OMPI_ARGV" ] || unset OMPI_ARGV
            fi
            trap : HUP INT QUIT PIPE ALRM TERM USR1 USR2 VTALRM PROF XCPU XFSZ
            # What the shell itself says of the rank's end belongs to nobody's output.
            exec 9>&2 2>/dev/null
            (
              restore
              [ -z "${muster_last-}" ] || set -- env "$muster_last" "$@"
              exec "$@" 2>&9 9>&-
            )
            muster_code=$?
            [ "$muster_code" -ne 0 ] || exit 0
            muster_what=
            if [ "$muster_code" -eq 127 ] && [ -z "$(command -v -- "$1")" ]; then
              muster_what=$(printf '%s' "$1" | tr -c '[:print:]' '?')
            fi
            printf '%s %s %s %s\\n' "$(date +%s%N)" "$muster_code" "$muster_rank" "$muster_what" \\
              >"$muster_place/new.$muster_rank" && mv "$muster_place/new.$muster_rank" "$muster_place/ended.$muster_rank"
            exit "$muster_code"
            """);

    private static final String RUN =
            "[ ! -r \"${" + PLACE + "-}/rank.sh\" ] || . \"$" + PLACE + "/rank.sh\"; exec \"$@\"";

    private RankScript() {}

    /** The user's command as mpirun has to start it. */
    static List<String> around(List<String> shell, List<String> command) {
        List<String> words = new ArrayList<>(shell);
        words.addAll(List.of("-c", RUN, "rank"));
        words.addAll(command);
        return words;
    }
}
