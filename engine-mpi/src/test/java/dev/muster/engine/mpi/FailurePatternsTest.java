package dev.muster.engine.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.diagnostics.SharedOutput;
import dev.muster.spi.RankLines;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which lines of mpirun's output come from which rank, and which from mpirun itself. */
class FailurePatternsTest {

    private static final RankLines LINES = FailurePatterns.LINES;
    private static final String LINE = "-".repeat(74) + "\n";

    @DisplayName("a rank's own lines are found in tagged output of each MPI")
    @Test
    void aTagTellsTheRank() {
        assertThat(ofRank(3, "[1,2]<stdout>:other\n[1,3]<stderr>:mine\n[1,3]<stdout>: too\nnobody's\n"))
                .isEqualTo("mine\ntoo\n");
        assertThat(ofRank(0, "[prterun-n1-77@1,0]<stderr>: five\n[0]<stdout>:horovod\n[0] hydra\n[10]<stderr>:other\n"))
                .isEqualTo("five\nhorovod\nhydra\n");
        assertThat(new SharedOutput("no tag [1,3]<stdout>: here\n", "", LINES).ofRank(3, OptionalInt.empty()))
                .isEmpty();
    }

    @DisplayName("lines of mpirun itself are not taken for output of a rank")
    @Test
    void itsOwnWordsAreTakenOut() {
        assertThat(rest("ValueError: nan\n" + LINE + "Primary job  terminated normally, but 1 process returned\n"
                        + "a non-zero exit code.\n" + LINE + LINE + "mpirun detected that\n\n  Exit code:    3\n"
                        + LINE))
                .isEqualTo("ValueError: nan");
        assertThat(rest("boom\n" + "=".repeat(83) + "\n=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES\n"
                        + "=   EXIT CODE: 3\n" + "=".repeat(83) + "\n"))
                .isEqualTo("boom");
        assertThat(rest("-----\na table\n-----\n")).isEqualTo("-----\na table\n-----");
    }

    private static String ofRank(int rank, String output) {
        return new SharedOutput(output, "", LINES)
                .ofRank(rank, OptionalInt.empty())
                .orElseThrow();
    }

    private static String rest(String output) {
        return new SharedOutput(output, "", LINES).ofRanks().strip();
    }
}
