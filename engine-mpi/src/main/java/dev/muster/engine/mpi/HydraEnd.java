package dev.muster.engine.mpi;

/**
 * What the end of a Hydra means, as a function of {@link EndScript}. Its exit code does not tell a signal from a code, and
 * is 255 for a command that cannot be started; what it says before tells.
 */
final class HydraEnd {

    /** Sets {@code code} and {@code why}, from {@code text}, where it tells them. */
    static final String IN_SHELL = """
            hydra_says() {
              signal=
              case $text in
                *'execvp error on file '*' (No such file'*)
                  what=${text##*execvp error on file } on=${text%execvp error on file *} on=${on##*@}
                  why="${what%%" ("*} was not found on ${on%%]*}" code=127
                  ;;
                *'execvp error on file '*' ('*)
                  what=${text##*execvp error on file } on=${text%execvp error on file *} on=${on##*@}
                  why="${what%%" ("*} cannot be executed on ${on%%]*}" code=126
                  ;;
                # Intel MPI's words, and MPICH's, which lacks the second line where a proxy ends in disorder.
                *'BAD TERMINATION'*'KILLED BY SIGNAL: '*) signal=${text##*KILLED BY SIGNAL: } ;;
                *'BAD TERMINATION'*'EXIT STRING: '*'(signal '*) signal=${text##*(signal } ;;
                *'BAD TERMINATION'*'EXIT CODE: '*) signal=${text##*EXIT CODE: } ;;
              esac
              signal=${signal%%[!0-9]*}
              if [ -n "$signal" ]; then
                on=${text##* RUNNING AT }
                why="a rank on ${on%%[[:space:]]*} was killed by signal $signal" code=$((128 + signal))
              fi
            }

            """;

    private HydraEnd() {}
}
