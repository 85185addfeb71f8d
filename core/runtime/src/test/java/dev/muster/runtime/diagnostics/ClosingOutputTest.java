package dev.muster.runtime.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Muster finds the exception in the output of popular tools, and ignores what other tools print after it. */
class ClosingOutputTest {

    private static final Map<String, String> TRACEBACKS = Map.of(
            "python", """
            Traceback (most recent call last):
              File "/w/train.py", line 3, in <module>
                main()
            ValueError: bad lr
            """,
            "rank", """
            [rank1]: Traceback (most recent call last):
            [rank1]:   File "/w/train.py", line 3, in <module>
            [rank1]:     main()
            [rank1]: ValueError: bad lr
            """,
            "rich, typer", """
            ╭──────────── Traceback (most recent call last) ────────────╮
            │ /w/train.py:3 in main                                      │
            │                                                            │
            │   2 def main():                                            │
            │ ❱ 3 │   raise ValueError("bad lr")                         │
            │   4                                                        │
            │ ╭──── locals ────╮                                         │
            │ │ batch = {}     │                                         │
            │ ╰────────────────╯                                         │
            ╰────────────────────────────────────────────────────────────╯
            ValueError: bad lr
            """,
            "loguru", """
            2026-11-28 17:11:45.334 | ERROR    | __main__:main:9 - training failed
            Traceback (most recent call last):

              File "/w/train.py", line 11, in <module>
                main()
                └ <function main at 0x7fdbe4d14720>

            > File "/w/train.py", line 7, in main
                train(0)

            ValueError: bad lr
            """,
            "hydra", """
            Error executing job with overrides: []
            Traceback (most recent call last):
              File "/w/train.py", line 3, in <module>
                main()
            ValueError: bad lr

            Set the environment variable HYDRA_FULL_ERROR=1 for a complete stack trace.
            """,
            "c++ and faulthandler", """
            terminate called after throwing an instance of 'c10::Error'
              what():  ValueError: bad lr

            Fatal Python error: Aborted

            Current thread 0x00007f3b423d6b80 (most recent call first):
              File "/w/train.py", line 3 in main
            """,
            "absl and faulthandler", """
            F1128 17:11:46.371226 139892491119488 train.py:3] ValueError: bad lr
            Fatal Python error: Aborted

            Current thread 0x00007f3b423d6b80 (most recent call first):
              File "/w/train.py", line 3 in main
            """);

    private static final Map<String, String> CLOSINGS = Map.of(
            "nothing", "",
            "wandb", """
            wandb: Waiting for W&B process to finish... (failed 1).
            \u001b[1;34mwandb\u001b[0m:
            wandb: Run history:
            wandb: loss █▄▂▁▁
            wandb: Run summary:
            wandb: loss 0.2
            wandb: 🚀 View run x at: https://wandb.ai/a/x/runs/y
            wandb: Synced 5 W&B file(s), 0 media file(s), 0 artifact file(s) and 0 other file(s)
            wandb: Find logs at: ./wandb/run-1/logs
            """,
            "tqdm", "val:  16%|█▌        | 8/50 [00:00<00:00, 1573.77it/s]\r\rval: 18%|█▌   | 9/50 [00:00<?, ?it/s]\n",
            "lightning, keras",
                    "Epoch 0/9 ━━━━━━━╸  12/100 0:00:01 • 0:00:08 10.10it/s v_num: 3\n12/100 [==>...] - ETA: 8s\n",
            "pytorch", """
            [rank1]:[W1128 12:00:00.0 ProcessGroupNCCL.cpp:1250] Warning: process group has NOT been destroyed
            [W1128 12:00:00.0 CudaIPCTypes.cpp:15] Producer process has been terminated
            [W1128 12:00:00.0 TCPStore.cpp:115] bye
            [W1128 12:00:00.0 TCPStore.cpp:116] bye
            """,
            "nccl", """
            host1:123:140 [0] NCCL INFO comm 0x55 rank 0 nranks 2 cudaDev 0 busId 40 - Abort COMPLETE
            host1:123:142 [0] NCCL INFO misc/socket.cc:47 -> 3
            host1:123:142 [0] NCCL INFO misc/socket.cc:58 -> 3
            host1:123:142 [0] NCCL INFO proxy.cc:1384 -> 3
            """,
            "tensorflow", """
            2026-11-28 12:00:01.000000: I tensorflow/core/distributed_runtime/rpc/grpc_server_lib.cc:500] Shutting down
            2026-11-28 12:00:01.100000: W tensorflow/core/common_runtime/process_util.cc:146] cancelled
            2026-11-28 12:00:01.100000: W external/local_xla/xla/tsl/a.cc:1] bye
            2026-11-28 12:00:01.100000: W tensorflow/core/a.cc:1] bye
            """,
            "mindspore", """
            [WARNING] MD(1234,ffff9,python):2026-11-28-12:00:01.000 [data_queue_op.cc:93] preprocess_batch: 0;
            [WARNING] MD(1234,ffff9,python):2026-11-28-12:00:01.000 [data_queue_op.cc:94] bye
            [INFO] PROFILER(1234,ffff9,python): clear
            [INFO] PROFILER(1234,ffff9,python): bye
            """,
            "logs", "INFO:root:closing writer 1\n2026-11-28 12:00:00,100 - WARNING - closing writer 2\n",
            "torch elastic", """
            ERROR:torch.distributed.elastic.multiprocessing.api:failed (exitcode: 1) local_rank: 0 (pid: 5)
            Traceback (most recent call last):
              File "/usr/lib/python3/dist-packages/torch/distributed/launcher/api.py", line 246, in launch_agent
                raise ChildFailedError(
            torch.distributed.elastic.multiprocessing.errors.ChildFailedError:
            ============================================================
            train.py FAILED
            ------------------------------------------------------------
            Failures:
              <NO_OTHER_FAILURES>
            Root Cause (first observed failure):
            [0]:
              exitcode  : 1 (pid: 5)
            ============================================================
            """);

    static List<Arguments> pairs() {
        List<Arguments> pairs = new ArrayList<>();
        TRACEBACKS.forEach((tool, traceback) -> CLOSINGS.forEach((below, closing) -> {
            for (boolean isUncaught : List.of(true, false)) {
                pairs.add(Arguments.of(tool, below, isUncaught, "step 1\nstep 2\n" + traceback + closing));
            }
        }));
        return pairs;
    }

    @ParameterizedTest(name = "{0} above {1}, uncaught: {2}")
    @MethodSource("pairs")
    void theExceptionStandsAtTheEnd(String tool, String below, boolean isUncaught, String output) {
        List<String> words = LastWords.of(output, text -> text, isUncaught);

        assertThat(words).isNotEmpty();
        assertThat(words.subList(Math.max(0, words.size() - 3), words.size()))
                .as("%s", words)
                .anyMatch(line -> line.endsWith("ValueError: bad lr"));
        assertThat(words).doesNotContain("step 2");
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void aProgramThatGoesOnHasSurvivedIt(String tool, String below, boolean isUncaught, String output) {
        List<String> words = LastWords.of(output + "\n" + "INFO step\n".repeat(9), text -> text, false);

        assertThat(words).contains("INFO step");
    }

    @ParameterizedTest
    @MethodSource("closings")
    void wordsWithoutATracebackStandAboveTheClosingLinesOfTools(String closing) {
        assertThat(LastWords.of("train.py: no data in /data\n" + closing, text -> text, true))
                .contains("train.py: no data in /data");
    }

    @Test
    void theSectionsOfMindSporesMessagesBelongToIt() {
        String output = """
                Traceback (most recent call last):
                  File "/w/train.py", line 9, in <module>
                    init()
                RuntimeError: Ascend collective Error: "HcclCommInitClusterInfo failed."

                ----------------------------------------------------
                - Ascend Error Message:
                ----------------------------------------------------
                EI0006: Getting socket times out

                ----------------------------------------------------
                - C++ Call Stack: (For framework developers)
                ----------------------------------------------------
                """ + "mindspore/ccsrc/a.cc:1083 HcclInit\n".repeat(9);

        assertThat(LastWords.of(output, text -> text, true))
                .anyMatch(line -> line.startsWith("RuntimeError: Ascend collective Error"))
                .contains("EI0006: Getting socket times out");
    }

    static List<String> closings() {
        return CLOSINGS.values().stream()
                .filter(closing -> !closing.contains("Traceback"))
                .toList();
    }
}
