package dev.muster.engine.pytorch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.PlanException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TorchrunTest {

    private static final String OLD_ON_NEW = "torchrun broken\n";
    private static final String NEW = "torchrun sound\n";

    private static TestJob job() {
        return new TestJob().processes("torchrun").cards(4);
    }

    private static TestJob withOwn(String answer) {
        return job().input("torch of the interpreter", new InputValue.CommandOutput(0, answer));
    }

    private static TestJob withProgram(String answer) {
        return job().input("torchrun", new InputValue.Program("/opt/bin/torchrun"))
                .input("torch of torchrun", new InputValue.CommandOutput(0, answer));
    }

    @ParameterizedTest
    @ValueSource(strings = {"python", "python3", "python3.11", "/opt/env/bin/python3", "./python2.7"})
    void theInterpreterOfTheCommandIsAsked(String interpreter) {
        List<Input> inputs = job().command(interpreter, "t.py").inputs();

        assertThat(inputs).extracting(Input::id).contains("torch of the interpreter", "torchrun", "torch of torchrun");
        assertThat(inputs)
                .filteredOn(input -> input.id().equals("torch of the interpreter"))
                .singleElement()
                .satisfies(input ->
                        assertThat(((Input.CommandOutput) input).command()).startsWith(interpreter, "-c"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/bin/true", "bash", "pythonista", "python3-config", "my-python3", "python3/run"})
    void aCommandThatIsNoInterpreterIsNotAsked(String program) {
        assertThat(job().command(program, "t.py").inputs())
                .extracting(Input::id)
                .containsExactly("torchrun", "torch of torchrun");
    }

    @Test
    void torchrunOfTheInterpreterIsToldEverything() {
        TestJob job = withOwn(NEW).node(1, 2).hosts("first", "second").option("master-port", "7000");

        assertThat(job.words())
                .containsExactly(
                        "python3",
                        "-m",
                        "torch.distributed.run",
                        "--nnodes",
                        "2",
                        "--node_rank",
                        "1",
                        "--nproc_per_node",
                        "4",
                        "--master_addr",
                        "first",
                        "--master_port",
                        "7000",
                        "--max_restarts",
                        "0",
                        "--monitor_interval",
                        "0.1",
                        "--no_python",
                        "<muster>",
                        "--rank-of-host",
                        "--",
                        "python3",
                        "a b.py",
                        "--lr=0.1");
    }

    @Test
    void ranksOfTorchrunAreToldOfTheJobsOwnRestarts() {
        assertThat(withOwn(NEW).run(3, 5).words())
                .containsSubsequence(
                        "--max_restarts",
                        "0",
                        "--monitor_interval",
                        "0.1",
                        "--no_python",
                        "<muster>",
                        "--rank-of-host",
                        "--",
                        "env",
                        "TORCHELASTIC_MAX_RESTARTS=5",
                        "TORCHELASTIC_RESTART_COUNT=2",
                        "python3");
    }

    @Test
    void optionsOfTheUserReachTorchrun() {
        assertThat(withOwn(NEW)
                        .option("torchrun-args", "--tee 3 --rdzv-conf 'timeout=900'")
                        .words())
                .containsSubsequence(
                        "--monitor_interval", "0.1", "--tee", "3", "--rdzv-conf", "timeout=900", "--no_python");
    }

    @ParameterizedTest
    @CsvSource({
        "--nnodes 2, --hosts",
        "--nproc-per-node=4, --cards",
        "--tee 3 --nproc 4, --cards",
        "--rdzv_endpoint a:1, --master-port",
        "--max-restarts 3, --restarts",
        "-m pkg, --",
        "train.py, --"
    })
    void whatMusterDecidesIsRefusedWithWhatToGiveInstead(String arguments, String instead) {
        assertThat(withOwn(NEW).option("torchrun-args", arguments).refusal())
                .hasMessageContaining("torchrun-args")
                .hasMessageContaining(instead);
    }

    @Test
    void optionsForTorchrunAreRefusedWhereThereIsNone() {
        assertThat(new TestJob().option("torchrun-args", "--tee 3").refusal())
                .hasMessageContaining("processes=torchrun");
    }

    @Test
    void anOnlyNodeGetsADrawnPort() {
        assertThat(withOwn(NEW).words())
                .containsSubsequence("--nnodes", "1", "--master_addr", "127.0.0.1", "--master_port", "<rendezvous>");
    }

    @Test
    void anIpv6AddressHasNoBrackets() {
        assertThat(withOwn(NEW).option("master-addr", "[fd00::5]").words())
                .containsSubsequence("--master_addr", "fd00::5");
    }

    @Test
    void theInterpretersOwnIsPreferredToThatOnPath() {
        assertThat(withProgram(NEW)
                        .input("torch of the interpreter", new InputValue.CommandOutput(0, NEW))
                        .words())
                .startsWith("python3", "-m", "torch.distributed.run");
    }

    @ParameterizedTest
    @CsvSource({"1,''", "127,''", "124,''", "0,'something else'", "1,'torchrun sound'"})
    void anInterpreterWithoutTorchrunLeavesTheOneOnPath(int exitCode, String output) {
        assertThat(withProgram(NEW)
                        .input("torch of the interpreter", new InputValue.CommandOutput(exitCode, output))
                        .words())
                .startsWith("/opt/bin/torchrun", "--nnodes");
    }

    @Test
    void aShellScriptIsStartedByTheOneOnPath() {
        assertThat(withProgram(NEW).command("/bin/true").words())
                .startsWith("/opt/bin/torchrun", "--nnodes")
                .endsWith("--no_python", "<muster>", "--rank-of-host", "--", "/bin/true");
    }

    @Test
    void anOldTorchrunOnANewPythonGetsTheVariablesThatHelp() {
        for (TestJob job : List.of(withOwn(OLD_ON_NEW), withProgram(OLD_ON_NEW))) {
            LaunchPlan plan = job.variable("PET_TEE", "3").plan();

            assertThat(TestJob.variable(plan, "PET_REDIRECTS")).isEqualTo("4:1");
            assertThat(TestJob.variable(plan, "PET_TEE")).isEqualTo("4:1");
            assertThat(TestJob.notes(plan))
                    .containsExactly(
                            "torchrun with 4 ranks (--cards)",
                            "PET_REDIRECTS and PET_TEE are 4:1: the torchrun of PyTorch 1 cannot read its own "
                                    + "defaults on Python 3.11 or newer");
        }
    }

    @Test
    void otherTorchrunsGetNothing() {
        LaunchPlan plan = withOwn(NEW).variable("PET_TEE", "3").plan();

        assertThat(plan.processes().get(0).launch().environment().set()).isEmpty();
        assertThat(plan.processes().get(0).launch().environment().remove()).containsExactly("PET_TEE");
    }

    @Test
    void itIsOneTaskWithALogOfItsOwn() {
        LaunchPlan plan = withOwn(NEW).node(1, 2).hosts("a", "b").plan();

        assertThat(TestJob.tasks(plan)).singleElement().satisfies(task -> {
            assertThat(task.id()).isEqualTo("torchrun");
            assertThat(task.placement()).isEmpty();
            assertThat(task.launch().logFile()).isEqualTo("job-7-torchrun-node-1.txt");
        });
        assertThat(plan.ports()).isEmpty();
        assertThat(withOwn(NEW).node(0, 2).hosts("a", "b").plan().ports()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--nnodes=2",
                "--nnod 2",
                "--node-rank 1",
                "--nproc-per-node 4",
                "--rdzv_endpoint a:1",
                "--max-restarts 3",
                "-m train",
                "--redirects 3 --no_python"
            })
    void whatMusterDecidesIsNotLeftToTheUsersWords(String words) {
        withOwn(NEW)
                .option("torchrun-args", "--tee 3 " + words)
                .assertRefused(PlanException.Kind.USAGE, "--torchrun-args=", "Give ");
    }

    @Test
    void wordsForTorchrunAreRefusedWhereThereIsNone() {
        new TestJob()
                .option("torchrun-args", "--tee 3")
                .assertRefused(PlanException.Kind.USAGE, "are for torchrun only", "-o processes=torchrun");
    }
}
