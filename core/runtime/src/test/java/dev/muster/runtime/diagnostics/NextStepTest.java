package dev.muster.runtime.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Muster suggests one step for a known cause, and none for other causes. */
class NextStepTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ModuleNotFoundError: No module named 'apex' | install the module apex",
                "[rank1]: ModuleNotFoundError: No module named 'a.b' | install the module a.b",
                "python3: error while loading shared libraries: libhccl.so: cannot open shared object file | libhccl.so",
                "ImportError: libGL.so.1: cannot open shared object file: No such file or directory | libGL.so.1",
                "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB | memory of the card",
                "RuntimeError: CUDA error: out of memory | memory of the card",
                "OOM when allocating tensor with shape[1024] | memory of the card",
                "RuntimeError: DataLoader worker (pid 7) is killed by signal: Killed. | want of memory",
                "torch.distributed.DistBackendError: store->get('0') got error: failed to recv, got 0 bytes | ended early",
                "MemoryError | ulimit -v",
                "numpy.core._exceptions._ArrayMemoryError: MemoryError: Unable to allocate | ulimit -v",
                "RuntimeError: [1] is setting up NCCL communicator: Connection reset by peer | earlier failure",
                "BrokenPipeError: [Errno 32] Broken pipe | earlier failure",
                "OSError: [Errno 98] Address already in use | ss -ltnp",
                "OSError: [Errno 28] No space left on device | df -h",
                "PermissionError: [Errno 13] Permission denied: '/x' | owner and mode",
                "FileNotFoundError: [Errno 2] No such file or directory: 'x' | working directory",
                "python3: can't open file '/x.py': [Errno 2] No such file or directory | working directory",
                "train.py: error: unrecognized arguments: --local_rank=0 | muster plan",
                "t.py: error: unrecognized arguments: --init_method tcp://127.0.0.1:1 | -o processes=per-card",
                "t.py: error: unrecognized arguments: --rank 1 --world_size 2 | -o processes=per-card",
                "Error: No such option: --init_method | -o processes=per-card",
                "FATAL Flags parsing error: Unknown command line flag 'init_method' | -o processes=per-card",
                "ERROR: Could not consume arg: --init_method | -o processes=per-card",
                "getopt.GetoptError: option --init_method not recognized | -o processes=per-card",
                "t.sh: unrecognized option '--init_method' | -o processes=per-card",
                "ValueError: not used by the HfArgumentParser: ['--init_method', 'tcp://a:1'] | -o processes=per-card",
                "ValueError: env:// rendezvous: environment variable RANK expected, but not set | -o processes=per-card",
                "KeyError: 'LOCAL_RANK' | --engine pytorch-gpu -o processes=per-card",
                "KeyError: 'OMPI_COMM_WORLD_RANK' | --engine mpi",
                "KeyError: 'RANK_ID' | --engine ascend",
                "KeyError: 'TF_CONFIG' | --engine tensorflow-ps",
                "t.py: error: the following arguments are required: --init_method | -o processes=per-node",
                "t.py: error: the following arguments are required: --data, --rank | -o processes=per-node",
                "Error: Missing option '--world_size'. | -o processes=per-node",
                "flags.IllegalFlagValueError: Flag --init-method must have a value | -o processes=per-node",
                "t.py: error: the following arguments are required: --local_rank | $LOCAL_RANK",
                "t.py: error: the following arguments are required: --ranking | muster plan",
                "t.py: error: unrecognized arguments: --job_name=ps --task_index=0 | -o tf-config=ps-env",
                "t.py: error: the following arguments are required: --job_name | -o tf-config=ps",
            })
    void knownCausesHaveAStep(String line, String step) {
        assertThat(NextStep.of(List.of("Traceback", line), OptionalInt.empty()).orElseThrow())
                .contains(step);
    }

    @Test
    void nothingIsMadeUp() {
        assertThat(NextStep.of(List.of("ValueError: nan in loss"), OptionalInt.empty()))
                .isEmpty();
        assertThat(NextStep.of(List.of("step 3"), OptionalInt.of(10))).isEmpty();
        assertThat(NextStep.of(List.of("AssertionError"), OptionalInt.empty())).isEmpty();
    }

    @Test
    void theLastLineCountsMost() {
        assertThat(NextStep.of(
                                List.of("FileNotFoundError: cache", "ModuleNotFoundError: No module named 'x'"),
                                OptionalInt.empty())
                        .orElseThrow())
                .contains("install the module x");
    }

    @Test
    void signalsAndSilenceHaveTheirs() {
        assertThat(NextStep.of(List.of(), OptionalInt.of(6)).orElseThrow()).contains("PYTHONFAULTHANDLER=1");
        assertThat(NextStep.of(List.of(), OptionalInt.of(11)).orElseThrow()).contains("PYTHONFAULTHANDLER=1");
        assertThat(NextStep.of(List.of("Fatal Python error: Segmentation fault"), OptionalInt.of(11)))
                .isEmpty();
        assertThat(NextStep.of(List.of(), OptionalInt.empty()).orElseThrow()).contains("without a word");
    }
}
