package dev.muster.engine.pytorch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.diagnostics.FailedRank;
import dev.muster.runtime.diagnostics.LastWords;
import dev.muster.runtime.diagnostics.SharedOutput;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which lines of torchrun's output come from which rank, and which from torchrun itself. */
class FailurePatternsTest {

    private static final String END = """
        ============================================================
        train.py FAILED
        ------------------------------------------------------------
        Failures:
        [1]:
          time      : 2026-11-22_12:00:01
          host      : n1
          rank      : 4 (local_rank: 0)
          exitcode  : 1 (pid: 4000)
        ------------------------------------------------------------
        Root Cause (first observed failure):
        [0]:
          time      : 2026-11-22_12:00:00
          host      : n1
          rank      : 5 (local_rank: 1)
          exitcode  : -9 (pid: 4001)
          error_file: <N/A>
          traceback : Signal 9 (SIGKILL) received by PID 4001
        ============================================================
        """;

    @DisplayName("torchrun's summary names the rank, and its own lines are not taken for output of a rank")
    @Test
    void theSummaryNamesTheRank() {
        for (String failed : new String[] {
            "ERROR:torch.distributed.elastic.multiprocessing.api:failed (exitcode: -9) local_rank: 1 (pid: 4001) of"
                    + " binary: /usr/bin/python3\n",
            "E1122 12:00:00.1 140 torch/distributed/elastic/multiprocessing/api.py:869] failed (exitcode: -9)"
                    + " local_rank: 1 (pid: 4001) of binary: /usr/bin/python3\n"
        }) {
            SharedOutput output = new SharedOutput(
                    "step 1\n"
                            + "WARNING:torch.distributed.elastic.multiprocessing.api:Sending process 7 closing signal"
                            + " SIGTERM\n"
                            + failed + "Traceback (most recent call last):\n  File \"run.py\"\nChildFailedError: \n"
                            + END,
                    "",
                    FailurePatterns.LINES);

            assertThat(output.culprit())
                    .contains(new FailedRank(5, OptionalInt.of(1), OptionalInt.of(-9), OptionalLong.of(4001)));
            assertThat(output.ofRanks().strip()).isEqualTo("step 1");
        }
    }

    @DisplayName("prefixes of torchrun and of PyTorch tell the rank")
    @Test
    void marksTellTheRank() {
        SharedOutput output = new SharedOutput(
                "[default0]:other\n[default1]:mine\n[default1]:[rank5]: Traceback\n[rank5]: KeyError\n[rank4]: other\n",
                "",
                FailurePatterns.LINES);

        assertThat(output.ofRank(5, OptionalInt.of(1))).contains("mine\nTraceback\nKeyError\n");
        assertThat(output.ofRank(5, OptionalInt.empty())).contains("Traceback\nKeyError\n");
        assertThat(output.ofRank(6, OptionalInt.of(2))).isEmpty();
    }

    @DisplayName("output of ranks that torchrun stops does not hide why one rank failed")
    @Test
    void whatCameBeforeTheStopCounts() {
        String output = """
            Traceback (most recent call last):
              File "train.py", line 9, in load
            ValueError: bad shard 17
            WARNING:torch.distributed.elastic.multiprocessing.api:Sending process 7 closing signal SIGTERM
            Traceback (most recent call last):
              File "train.py", line 12, in <module>
            Traceback (most recent call last):
              File "train.py", line 5, in stop
            RuntimeError: stopped
            """;

        assertThat(LastWords.ofSeveral(new SharedOutput(output, "", FailurePatterns.LINES), text -> text))
                .contains("ValueError: bad shard 17")
                .doesNotContain("RuntimeError: stopped");
        String late = output.substring(output.indexOf("WARNING"));
        assertThat(LastWords.ofSeveral(new SharedOutput("step 1\n" + late, "", FailurePatterns.LINES), text -> text))
                .contains("RuntimeError: stopped");
    }

    @DisplayName("output of ranks that the launcher stops, and torchrun's own end, do not hide why one rank failed")
    @Test
    void whatCameBeforeTheLauncherStoppedThemCounts() {
        String before = """
            Traceback (most recent call last):
              File "train.py", line 9, in load
            ValueError: bad shard 17
            """;
        String output = before + """
            Traceback (most recent call last):
              File "train.py", line 5, in stop
            RuntimeError: stopped
            ERROR:torch.distributed.elastic.multiprocessing.api:failed (exitcode: 1) local_rank: 0 (pid: 7) of binary: /bin/sh
            Traceback (most recent call last):
            torch.distributed.elastic.multiprocessing.errors.ChildFailedError:
            """;

        assertThat(LastWords.ofSeveral(new SharedOutput(output, before, FailurePatterns.LINES), text -> text))
                .contains("ValueError: bad shard 17")
                .doesNotContain("RuntimeError: stopped");
        assertThat(LastWords.ofSeveral(new SharedOutput(output, "step 1\n", FailurePatterns.LINES), text -> text))
                .contains("RuntimeError: stopped");
    }

    @Test
    void withoutASummaryNobodyIsBlamed() {
        assertThat(new SharedOutput("Root Cause is unknown\nrank : 3\n", "", FailurePatterns.LINES).culprit())
                .isEmpty();
    }
}
