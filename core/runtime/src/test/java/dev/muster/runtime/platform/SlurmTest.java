package dev.muster.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.runtime.config.Command;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.spi.Host;
import dev.muster.spi.InputValue;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SlurmTest {

    private static final Commands SILENT = question -> new InputValue.CommandOutput(127, "");
    private static final List<String> CONFIG = List.of("scontrol", "show", "config");

    private static Site site(String recorded, String... options) {
        return site(Recorded.of("slurm-" + recorded).environment(), options);
    }

    private static Site site(Map<String, String> variables, String... options) {
        return TestSites.read(variables, Command.LAUNCH, SILENT, options);
    }

    private static Map<String, String> stepWith(String name, String value) {
        Map<String, String> variables =
                new HashMap<>(Recorded.of("slurm-step-n2").environment());
        variables.put(name, value);
        return variables;
    }

    private static List<String> hosts(Site site) {
        return site.node().hosts().stream().map(Host::name).toList();
    }

    private static Commands killWait(String line) {
        return question -> {
            assertThat(question.command()).isEqualTo(CONFIG);
            assertThat(question.deadline()).hasSeconds(2);
            return new InputValue.CommandOutput(0, "KillOnBadExit = 0\n" + line + "\nLaunchParameters = (null)\n");
        };
    }

    private static Optional<String> grace(Site site) {
        return site.settings().find(OptionTable.GRACE).map(setting -> setting.value() + " " + setting.origin());
    }

    @ParameterizedTest
    @CsvSource({
        "step-n1, slurm-2-0, n1 n2 n3",
        "step-n2, slurm-2-0, n1 n2 n3",
        "step-n3, slurm-2-0, n1 n2 n3",
        "arbitrary-n3, slurm-7-0, n1 n2 n3",
        "arbitrary-n1, slurm-7-0, n1 n2 n3",
        "het-step-n1, slurm-5-0, n3 n1 n2",
        "het-step-n2, slurm-5-0, n3 n1 n2",
        "het-step-n3, slurm-5-0, n3 n1 n2",
        "het-job-n1, slurm-21-0, n3 n1 n2",
        "het-job-n3, slurm-21-0, n3 n1 n2",
        "het-job-group-0, slurm-21-1, n3",
        "het-job-group-1-n2, slurm-36-0, n1 n2",
        "step-of-two-nodes-n2, slurm-14-0, n1 n2",
        "step-of-one-node, slurm-13-0, n3",
        "one-node, slurm-11-0, n1",
        "batch-step, slurm-17-0, n1 n2 n3",
        "export-none, slurm-16-0, n1 n2",
        "pmi2, slurm-15-0, n1 n2",
        "array, slurm-18_0-0, n1 n2",
        "requeue, slurm-23-0, n1 n2"
    })
    void aTaskKnowsItsPlaceInTheStep(String recorded, String job, String hosts) {
        Recorded surroundings = Recorded.of("slurm-" + recorded);

        Site site = site(surroundings.environment());

        assertThat(site.platform().name()).isEqualTo("slurm");
        assertThat(site.jobId()).isEqualTo(job);
        assertThat(site.node().count()).hasValue(surroundings.nodes());
        assertThat(site.node().index()).hasValue(surroundings.index());
        assertThat(hosts(site)).containsExactly(hosts.split(" ", -1));
        assertThat(hosts(site).get(surroundings.index())).isEqualTo(surroundings.hostName());
        assertThat(site.node().name().orElseThrow().value()).isEqualTo(surroundings.hostName());
        assertThat(site.unheard()).isEmpty();
        assertThat(site.warnings()).isEmpty();
    }

    /** Without the variable of newer versions the step's other ones tell the same; a script's are what it has asked for. */
    @ParameterizedTest
    @CsvSource({
        "SLURM_NTASKS, 2, 'SLURM_NTASKS=2, but the step has 1 node'",
        "SLURM_NPROCS, 2, 'SLURM_NPROCS=2, but the step has 1 node'",
        "SLURM_PROCID, 1, 'SLURM_PROCID=1, but the step has 1 node'"
    })
    void aTaskTooManyIsRefused(String variable, String value, String words) {
        Map<String, String> task = new HashMap<>(Recorded.of("slurm-one-node").environment());
        List.of("SLURM_STEP_NUM_TASKS", "SLURM_NTASKS", "SLURM_NPROCS").forEach(task::remove);
        assertThat(site(task).node().count()).hasValue(1);

        task.put(variable, value);
        assertThatThrownBy(() -> site(task)).hasMessageContaining(words).hasMessageContaining("srun --nodes=1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"SLURM_PROCID", "SLURM_LOCALID", "SLURM_NODEID"})
    void aTaskOfAnUnknownStepIsNoScript(String variable) {
        Map<String, String> task = new HashMap<>(Recorded.of("slurm-one-node").environment());
        task.remove("SLURM_STEP_ID");
        task.put("SLURM_NTASKS", "2");
        assertThat(site(task).node().count()).hasValue(1);

        task.put(variable, "1");
        assertThatThrownBy(() -> site(task))
                .hasMessageStartingWith(
                        variable + "=1 says that this is one of several tasks, but SLURM_STEP_ID is not");
        assertThat(TestSites.read(task, Command.LAUNCH, SILENT, "nodes", "1")
                        .node()
                        .index())
                .hasValue(0);
    }

    @Test
    void theOlderNameOfComponentsCountsToo() {
        Map<String, String> script =
                new HashMap<>(Recorded.of("slurm-het-job-script").environment());
        script.remove("SLURM_HET_SIZE");
        assertThatThrownBy(() -> site(script)).hasMessageContaining("--het-group=0-1");

        script.put("SLURM_HET_SIZE", "1");
        assertThatThrownBy(() -> site(script)).hasMessageStartingWith("SLURM_HET_SIZE=1, but SLURM_PACK_SIZE=2");
    }

    @Test
    void aRequeuedJobSaysWhichRunItIs() {
        assertThat(site("requeue").startCounts()).contains("SLURM_RESTART_COUNT=1");
        assertThat(site("step-n1").startCounts()).isEmpty();
    }

    @Test
    void cardsAreTheNodesGpus() {
        assertThat(site("gpus-n2").node().cards().count()).hasValue(2);
        assertThat(site("step-n1").node().cards().count()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "two-tasks-per-node, SLURM_STEP_NUM_TASKS=6, srun --nodes=3 --ntasks=3 --ntasks-per-node=1 muster ...",
        "unequal-tasks-n1, SLURM_STEP_NUM_TASKS=3, srun --nodes=2 --ntasks=2 --ntasks-per-node=1 muster ...",
        "unequal-tasks-n2, SLURM_STEP_NUM_TASKS=3, srun --nodes=2 --ntasks=2 --ntasks-per-node=1 muster ...",
        "batch-script, a job of 3 nodes (SLURM_JOB_NODELIST), srun --nodes=3 --ntasks=3 --ntasks-per-node=1 muster ...",
        "salloc, an allocation (SLURM_JOB_NODELIST), srun --nodes=3 --ntasks=3 --ntasks-per-node=1 muster ...",
        "het-job-script, a job of 3 nodes, srun --het-group=0-1 --ntasks-per-node=1 muster ..."
    })
    void whereNoJobCanStartTheLineToWriteIsTold(String recorded, String what, String line) {
        assertThatThrownBy(() -> site(recorded))
                .isInstanceOfSatisfying(
                        MusterException.class,
                        refusal -> assertThat(refusal.exitCode()).isEqualTo(ExitCode.CONFIGURATION))
                .hasMessageContaining(what)
                .hasMessageContaining(line);
    }

    @ParameterizedTest
    @ValueSource(strings = {"batch-script", "salloc", "het-job-script"})
    void anAllocationIsPlannedAsTheStepThatWillBe(String recorded) {
        Site site = TestSites.read(Recorded.of("slurm-" + recorded).environment(), Command.PLAN, SILENT);

        assertThat(site.node().count()).hasValue(3);
        assertThat(site.node().index()).hasValue(0);
        assertThat(hosts(site)).hasSize(3);
        assertThat(site.unheard()).isEmpty();
    }

    @Test
    void whoeverSaysSoMeansThisNodeAlone() {
        assertThat(site("batch-script", "nodes", "1").node().count()).hasValue(1);
        assertThat(site("two-tasks-per-node", "nodes", "1").node().count()).hasValue(1);
        assertThat(site("salloc", "platform", "none").node().count()).isEmpty();
    }

    @Test
    void theScriptOfOneNodeIsThatNode() {
        Map<String, String> script =
                new HashMap<>(Recorded.of("slurm-batch-script").environment());
        script.put("SLURM_JOB_NODELIST", "n1");
        script.put("SLURM_JOB_NUM_NODES", "1");
        script.put("SLURM_NNODES", "1");

        Site site = site(script);

        assertThat(site.jobId()).isEqualTo("slurm-17");
        assertThat(site.node().count()).hasValue(1);
    }

    /** As a site has it that lets salloc start its shell on the first node. */
    @Test
    void anInteractiveShellOnTheFirstNodeIsNoStep() {
        assertThatThrownBy(() -> site(stepWith("SLURM_STEP_ID", "4294967290")))
                .hasMessageContaining("Write srun --nodes=3");
    }

    @Test
    void nodesThatHaveDifferentNumbersOfGpusAreRefused() {
        for (String node : List.of("n1", "n2", "n3")) {
            Recorded surroundings = Recorded.of("slurm-unequal-gpus-" + node);
            assertThatThrownBy(
                            () -> TestSites.read(surroundings.environment(), Command.LAUNCH, surroundings.commands()))
                    .hasMessageContaining("SLURM_GPUS_ON_NODE")
                    .hasMessageContaining("--gpus-per-node=N");
            assertThat(site(surroundings.environment(), "cards", "1")
                            .node()
                            .cards()
                            .count())
                    .hasValue(1);
        }
    }

    @Test
    void aStepWithAPartOfTheJobsGpusIsNoContradiction() {
        Commands commands = question -> new InputValue.CommandOutput(
                0, "JobId=8   Nodes=n[1-2] CPU_IDs=0 Mem=0 GRES=gpu:a100:4(IDX:0-3),gpu:v100:1(IDX:4) Features=(null)");

        assertThat(TestSites.read(Recorded.of("slurm-gpus-n1").environment(), Command.LAUNCH, commands)
                        .node()
                        .cards()
                        .count())
                .hasValue(2);
    }

    @Test
    void theGraceIsShorterThanKillWait() {
        Map<String, String> step = Recorded.of("slurm-step-n1").environment();

        assertThat(grace(TestSites.read(step, Command.LAUNCH, killWait("KillWait                = 5 sec"))))
                .hasValue("3s KillWait of 5s (scontrol show config)");
        assertThat(grace(TestSites.read(step, Command.LAUNCH, killWait("KillWait = 1 sec"))))
                .hasValueSatisfying(grace -> assertThat(grace).startsWith("1s "));
        assertThat(grace(TestSites.read(step, Command.LAUNCH, killWait("KillWait = 30 sec"))))
                .hasValue("15s default");
        assertThat(grace(TestSites.read(step, Command.LAUNCH, killWait("KillWait = many"))))
                .hasValue("15s default");
        assertThat(grace(site(step))).hasValue("15s default");
    }

    @Test
    void aGraceThatIsGivenIsKept() {
        Commands nobody = question -> {
            throw new AssertionError("asked " + question.command());
        };
        Map<String, String> step = Recorded.of("slurm-step-n1").environment();

        Site site = TestSites.read(step, Command.LAUNCH, nobody, "grace", "28s");
        assertThat(grace(site)).hasValue("28s --grace");
        assertThat(site.warnings()).isEmpty();
        assertThat(TestSites.read(step, Command.LAUNCH, nobody, "grace", "1m").warnings())
                .singleElement()
                .asString()
                .startsWith("--grace=1m: Slurm sends SIGKILL KillWait after SIGTERM");
    }

    @Test
    void noRankInheritsWhatSrunGivesToRanksOfItsOwn() {
        assertThat(site("pmi2").foreignVariables())
                .containsExactlyInAnyOrder("PMI_FD", "PMI_JOBID", "PMI_RANK", "PMI_SIZE");
        assertThat(site(stepWith("PMIX_NAMESPACE", "slurm.pmix.2.0")).foreignVariables())
                .containsExactly("PMIX_NAMESPACE");
    }

    @Test
    void itIsKnownWhatSpeaksOfOneNodeOnly() {
        assertThat(site("step-n1").platform().contract().localVariables())
                .contains("SLURM_NODEID", "SLURM_PROCID", "SLURM_LOCALID", "SLURM_TASK_PID", "SLURMD_NODENAME");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "SLURM_STEP_NUM_NODES; 2; SLURM_STEP_NUM_NODES=2, but SLURM_STEP_NODELIST names 3 hosts",
                "SLURM_STEP_NODELIST; n[1-2]; SLURM_STEP_NUM_NODES=3, but SLURM_STEP_NODELIST names 2 hosts",
                "SLURM_STEP_NODELIST; n1,n1,n2; SLURM_STEP_NODELIST=\"n1,n1,n2\" names a host twice",
                "SLURM_STEP_NODELIST; n[1-5000]; SLURM_STEP_NODELIST=\"n[1-5000]\" names more than 4096 hosts",
                "SLURM_STEP_NODELIST; $(touch x); SLURM_STEP_NODELIST=",
                "SLURM_NODEID; 3; SLURM_NODEID=3, but SLURM_STEP_NODELIST names 3 hosts",
                "SLURM_NODEID; -1; SLURM_NODEID=\"-1\" is not a whole number",
                "SLURM_NODEID; 0; SLURM_NODEID=0 is n1 by SLURM_STEP_NODELIST, but SLURMD_NODENAME=\"n2\"",
                "SLURM_NODEID; 99999999999999; SLURM_NODEID=",
                "SLURM_NODEID; 1.0; SLURM_NODEID=",
                "SLURMD_NODENAME; `id`; SLURMD_NODENAME=",
                "SLURM_STEP_NUM_TASKS; $(id); SLURM_STEP_NUM_TASKS=",
                "SLURM_STEP_NUM_NODES; many; SLURM_STEP_NUM_NODES=",
                "SLURM_JOB_ID; ../../x; SLURM_JOB_ID=",
                "SLURM_JOB_ID; -5; SLURM_JOB_ID=",
                "SLURM_STEP_ID; x; SLURM_STEP_ID=",
                "SLURM_ARRAY_JOB_ID; 7; SLURM_ARRAY_TASK_ID=",
                "SLURM_HET_SIZE; 999999999; SLURM_HET_SIZE=",
                "SLURM_HET_JOB_ID; x; SLURM_HET_JOB_ID=",
                "SLURM_GPUS_ON_NODE; lots; SLURM_GPUS_ON_NODE="
            })
    void hostileValuesAreRefusedByName(String name, String value, String words) {
        assertThatThrownBy(() -> site(stepWith(name, value)))
                .isInstanceOfSatisfying(
                        MusterException.class,
                        refusal -> assertThat(refusal.exitCode()).isEqualTo(ExitCode.CONFIGURATION))
                .hasMessageContaining(words);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SLURM_STEP_NODELIST",
                "SLURM_NODEID",
                "SLURMD_NODENAME",
                "SLURM_JOB_ID",
                "SLURM_STEP_ID",
                "SLURM_STEP_NUM_TASKS",
                "SLURM_GPUS_ON_NODE"
            })
    void nothingRewritesTheTerminal(String name) {
        for (String value : List.of("a\nb", "\u001b[2J", "\"x\"\n", "n1\r", "$(echo\t1)", "x".repeat(100_000))) {
            assertThatThrownBy(() -> site(stepWith(name, value)))
                    .isInstanceOf(MusterException.class)
                    .hasMessageContaining(name)
                    .message()
                    .doesNotContainPattern("\\p{Cntrl}");
        }
    }

    @Test
    void aListThatIsMissingIsNamed() {
        Map<String, String> step = stepWith("SLURM_STEP_NODELIST", "");

        assertThatThrownBy(() -> site(step)).hasMessageStartingWith("SLURM_STEP_NODELIST is not set");
    }

    @Test
    void theMostNodesAreFine() {
        Map<String, String> step = stepWith("SLURM_STEP_NODELIST", "n[0001-4096]");
        step.put("SLURM_STEP_NUM_NODES", "4096");
        step.put("SLURM_STEP_NUM_TASKS", "4096");
        step.put("SLURM_NODEID", "4095");
        step.put("SLURMD_NODENAME", "n4096");

        assertThat(site(step).node().index()).hasValue(4095);
    }
}
