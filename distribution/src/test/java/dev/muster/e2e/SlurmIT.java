package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Jobs on a real Slurm cluster. The user gives no option but the engine. */
@ResourceLock(SlurmCluster.CONTROL_GROUPS)
@Order(2) // SlurmStopIT uses the control groups first.
@ExtendWith(Scenes.class)
class SlurmIT {

    private static final Path EXAMPLES = Product.project().resolve("examples/training");
    private static final String MUSTER = Product.startScript(Product.home()).toString();

    /** A process that listens as TensorFlow does. A worker ends at once, and a ps serves for ever. */
    private static final String MEMBER = """
        import socket, sys
        flags = dict(zip(sys.argv[1::2], sys.argv[2::2]))
        job, index = flags["--job_name"], int(flags["--task_index"])
        host, _, port = flags["--%s_hosts" % job].split(",")[index].rpartition(":")
        listener = socket.create_server(("", int(port)))
        print(job, index, host, flush=True)
        while job == "ps":
            listener.accept()[0].close()
        """;

    /** A rank that connects to the others as PyTorch's ranks do, and then prints its variables. */
    private static final String MEET = """
        import os, socket, time
        told = os.environ
        size, place = int(told["WORLD_SIZE"]), (told["MASTER_ADDR"], int(told["MASTER_PORT"]))
        if told["RANK"] == "0":
            listener = socket.create_server(("", place[1]))
            others = [listener.accept()[0] for _ in range(size - 1)]
            [other.sendall(b"go") for other in others]
        else:
            until = time.monotonic() + 30
            while True:
                try:
                    leader = socket.create_connection(place)
                    break
                except ConnectionRefusedError:
                    assert time.monotonic() < until
                    time.sleep(0.05)
            assert leader.recv(2) == b"go"
        print(told["RANK"], told["LOCAL_RANK"], size, place[0], told.get("PMI_RANK", "none"), flush=True)
        """;

    @SuppressWarnings("NullAway.Init")
    private static SlurmCluster cluster;

    @BeforeAll
    static void start() {
        cluster = SlurmCluster.start(5, 2, 2, 1, 0);
    }

    @AfterAll
    static void stop() {
        if (cluster != null) {
            cluster.close();
            assertThat(cluster.isRunning()).isFalse();
            assertThat(cluster.home()).doesNotExist();
        }
    }

    /** Runs a program of Slurm on the node where users log in. */
    private static Launched slurm(Scene scene, Path directory, String... words) {
        return cluster.here(scene.command(words), directory).start();
    }

    private static Result srun(Scene scene, Path directory, String... words) {
        return slurm(scene, directory, with(new String[] {"srun"}, words)).await();
    }

    static String[] with(String[] first, String... more) {
        List<String> words = new ArrayList<>(List.of(first));
        words.addAll(List.of(more));
        return words.toArray(String[]::new);
    }

    private static List<String> sorted(Result result, String prefix) {
        return result.outputLines().stream()
                .filter(line -> line.startsWith(prefix))
                .sorted()
                .toList();
    }

    private static void succeeded(Result result) {
        assertThat(result.exitCode()).as("%s%n%s", result, cluster.log()).isZero();
    }

    /** The command line of a job whose ranks print their arguments. */
    private static String[] pytorch(String... options) {
        String[] launcher = {MUSTER, "--engine", "pytorch-gpu", "-o", "processes=per-node"};
        return with(with(launcher, options), "--", "sh", "-c", "echo \"$@\"", "sh");
    }

    /** The batch script of the documentation, unchanged. */
    @Test
    void theScriptOfTheDocumentationTrains(Scene scene) {
        Path directory = cluster.directory();
        Scene.write(directory.resolve("job.sh"), script());
        Scene.write(directory.resolve("train.py"), "import os; print(os.environ['RANK'], os.environ['WORLD_SIZE'])");
        Result submitted = cluster.here(
                        scene.command("sbatch", "-W", "-w", "n[1-2]", "-o", "job.txt", "job.sh"), directory)
                .set("PATH", Product.home().resolve("bin") + ":" + Invocation.PATH)
                .run();
        assertThat(submitted.exitCode())
                .as(submitted + Scene.read(directory.resolve("job.txt")))
                .isZero();
        assertThat(Scene.read(directory.resolve("job.txt")).lines().filter(line -> line.startsWith("[rank ")))
                .containsExactlyInAnyOrder("[rank 0] 0 4", "[rank 1] 1 4", "[rank 2] 2 4", "[rank 3] 3 4");
    }

    private static String script() {
        String page = Scene.read(Product.project().resolve("docs/platforms/slurm.md"));
        int start = page.indexOf("```bash\n") + "```bash\n".length();
        return page.substring(start, page.indexOf("```", start));
    }

    /** Checks the expected values of the unit tests for host lists against scontrol. */
    @Test
    void listsOfHostsMeanWhatTheUnitTestsTakeThemToMean(Scene scene) throws IOException {
        Path recorded =
                Product.project().resolve("core/runtime/src/test/resources/dev/muster/runtime/platform/hostlists.txt");
        String each =
                "while read -r list hosts; do test \"$(scontrol show hostnames \"$list\" | paste -sd' ')\" = \"$hosts\""
                        + " || echo \"$list\"; done";
        Result result = cluster.here(scene.command("bash", "-c", each), cluster.directory())
                .reading(recorded)
                .run();
        assertThat(result.output()).as("lists that mean something else").isEmpty();
        assertThat(result.exitCode()).isZero();
        assertThat(Files.readAllLines(recorded)).hasSizeGreaterThan(10);
    }

    /** {@link SlurmStopIT} does so on every JDK. */
    @Test
    void nodesOfAStepAreOneJob(Scene scene) {
        Path directory = cluster.directory();
        String[] step = {"-N3", "-w", "n[1-3]"};
        Result result = srun(scene, directory, with(step, pytorch("--link", "required")));
        succeeded(result);
        assertThat(sorted(result, "[rank "))
                .hasSize(3)
                .allMatch(line -> line.matches("\\[rank (.)] --init_method tcp://n1:[0-9]+ --rank \\1 --world_size 3"));
        assertThat(Scene.tree(directory)).anyMatch(name -> name.endsWith("-0-node-2-result.json"));
    }

    /** Other tests show that nodes find each other. {@link PyTorchIT} shows that this is enough for PyTorch. */
    @Tag("torture")
    @Test
    void pyTorchTrainsOnTwoNodes(Scene scene) {
        String[] training = Training.torch();
        String[] launcher = {"srun", "-N2", MUSTER, "--engine", "pytorch-gpu", "-o", "processes=per-node", "--"};
        String[] job = with(launcher, training);
        Result result = slurm(scene, cluster.directory(), job).await(Training.LONG);
        succeeded(result);
        assertThat(result.output()).contains("final loss 0.010101, same weights on 4 ranks");
    }

    @Test
    void everyGpuOfTheStepIsACardAndRanksMeetWhereTheyAreTold(Scene scene) {
        Result result = srun(
                scene,
                cluster.directory(),
                "-N2",
                "-w",
                "n[1-2]",
                "--gres=gpu:2",
                "--mpi=pmi2",
                MUSTER,
                "--engine",
                "pytorch-gpu",
                "-o",
                "processes=per-card",
                "--",
                "python3",
                "-c",
                MEET);
        succeeded(result);
        assertThat(sorted(result, "[rank "))
                .containsExactly(
                        "[rank 0] 0 0 4 n1 none",
                        "[rank 1] 1 1 4 n1 none",
                        "[rank 2] 2 0 4 n1 none",
                        "[rank 3] 3 1 4 n1 none");
    }

    @Test
    void tensorFlowHasAPsAndAWorkerOnEachNode(Scene scene) {
        String[] command = {"--engine", "tensorflow-ps", "--", "python3", "-c", MEMBER};
        Result result = srun(scene, cluster.directory(), with(new String[] {"-N2", "-w", "n[1-2]", MUSTER}, command));
        succeeded(result);
        assertThat(sorted(result, "[worker")).containsExactly("[worker-0] worker 0 n1", "[worker-1] worker 1 n2");
    }

    @Test
    void mpiRunsOnTheHostsOfTheStep(Scene scene) {
        String python = Components.requireMpi();
        Path directory = cluster.directory();
        makeKey(scene);
        // One write per line: mpirun may mix the lines of ranks that write in pieces.
        String program = "from mpi4py import MPI; import os; print(f'{MPI.COMM_WORLD.rank} {MPI.COMM_WORLD.size}"
                + " {os.uname().nodename} {os.environ[\"SLURM_NODEID\"]} {os.environ[\"SLURMD_NODENAME\"]}\\n', end='')";
        Result result =
                srun(scene, directory, "-N2", "-w", "n[1-2]", MUSTER, "--engine", "mpi", "--", python, "-c", program);
        succeeded(result);
        // Open MPI may also warn that a daemon was faster than mpirun.
        assertThat(sorted(result, "[mpirun]")).contains("[mpirun] 0 2 n1 0 n1", "[mpirun] 1 2 n2 1 n2");
    }

    /** Makes a key in the user's home directory, which all nodes of a cluster see. */
    private static void makeKey(Scene scene) {
        scene.command(
                        "sh",
                        "-c",
                        "cd \"$0\" && mkdir -p .ssh && chmod 700 .ssh && test -e .ssh/id_rsa || ssh-keygen -q -t rsa"
                                + " -b 2048 -N '' -f .ssh/id_rsa",
                        cluster.home().toString())
                .run()
                .endedWith(0);
    }

    @Test
    void ascendFindsItsServerInTheTable(Scene scene) {
        Path directory = cluster.directory();
        Path table = directory.resolve("table.json");
        Scene.write(
                table,
                RankTables.templateOne(
                        RankTables.server("10.78.0.1", "0 10.79.0.1", "1 10.79.1.1"),
                        RankTables.server("10.78.0.2", "0 10.79.0.2")));
        String[] job = {
            "-N2", "-w", "n[1-2]", MUSTER, "--engine", "ascend", "--rank-table", table.toString(), "--", "python3",
        };
        Result result = srun(
                scene,
                directory,
                with(job, EXAMPLES.resolve("linear_regression.py").toString()));
        succeeded(result);
        assertThat(result.output()).contains("same weights on 3 of 3 ranks");
    }

    @Test
    void theOrderOfTasksIsNotThatOfNodes(Scene scene) {
        String[] step = {"-N3", "-n3", "-m", "arbitrary", "-w", "n3,n1,n2"};
        Result result = srun(scene, cluster.directory(), with(step, pytorch()));
        succeeded(result);
        assertThat(sorted(result, "[rank ")).hasSize(3).allMatch(line -> line.contains("tcp://n1:"));
    }

    @Test
    void aStepWithoutTheCallersVariablesIsAStep(Scene scene) {
        String[] step = {"-N2", "--export=NONE"};
        Result result = srun(scene, cluster.directory(), with(step, pytorch()));
        assertThat(result.output() + result.messages()).contains("--rank 1 --world_size 2");
    }

    @Test
    void whereNoJobCanStartTheLineToWriteIsTold(Scene scene) {
        Path directory = cluster.directory();
        String line = "Write srun --nodes=2 --ntasks=2 --ntasks-per-node=1 muster ...";
        Result tasks = srun(scene, directory, with(new String[] {"-N2", "--ntasks-per-node=2"}, pytorch()));
        assertThat(tasks.exitCode()).isEqualTo(78);
        tasks.says("SLURM_STEP_NUM_TASKS=4", line);
        Result shell = slurm(scene, directory, with(new String[] {"salloc", "-Q", "-N2"}, pytorch()))
                .await();
        shell.endedWith(78).says("SLURM_JOB_NODELIST", line);
        assertThat(shell.messages()).as("nobody else was started").doesNotContain("staying");
        Scene.write(directory.resolve("batch.sh"), "#!/bin/bash\n'" + MUSTER + "' --engine pytorch-gpu -- true\n");
        Result batch = slurm(scene, directory, "sbatch", "-W", "-N2", "-o", "batch.txt", "batch.sh")
                .await();
        assertThat(batch.exitCode()).isEqualTo(78);
        assertThat(Scene.read(directory.resolve("batch.txt"))).contains("SLURM_JOB_NODELIST", line);
        String[] uneven = {"-N3", "-n3", "-w", "n[1-3]", "--gpus=5", MUSTER, "--engine", "pytorch-gpu"};
        Result gpus = srun(scene, directory, with(uneven, "--", "sleep", "600"));
        assertThat(gpus.exitCode()).isEqualTo(78);
        gpus.says("cards");
    }

    @Test
    void whatSlurmWouldNeverSayIsRefused(Scene scene) {
        for (String list : List.of("n1\nn2", "n[1-9999]", "$(touch hostile)", "n[1-2")) {
            Result result = scene.muster("--engine", "pytorch-gpu", "--", "true")
                    .set("SLURM_JOB_ID", "7")
                    .set("SLURM_STEP_ID", "0")
                    .set("SLURM_NODEID", "0")
                    .set("SLURM_STEP_NODELIST", list)
                    .answer()
                    .endedWith(78)
                    .says("SLURM_STEP_NODELIST=\"");
            // The host name may resolve to a loopback address, which causes a warning.
            assertThat(result.messages().lines().filter(line -> !line.contains("warning:")))
                    .hasSize(1);
        }
        assertThat(scene.directory().resolve("hostile")).doesNotExist();
    }

    @Test
    void anAllocationCanBePlannedAndSimulatedIn(Scene scene) {
        Path directory = cluster.directory();
        String[] plan = {"salloc", "-Q", "-N3", "-w", "n[1-3]", MUSTER, "plan", "--engine", "pytorch-gpu", "--", "true"
        };
        assertThat(slurm(scene, directory, plan).await().endedWith(0).output())
                .contains("Plan of node 0 of 3", "MASTER_ADDR: n1", "grace: 3s", "the job's id");
        String[] simulation = {"salloc", "-Q", "-N3", MUSTER, "simulate", "--engine", "pytorch-gpu", "--nodes", "2"};
        Result simulated = slurm(scene, directory, with(simulation, "--", "sh", "-c", "env | grep SLURM_ || echo none"))
                .await();
        simulated.endedWith(0);
        assertThat(simulated.output()).contains("[rank 1] none").doesNotContain("SLURM_");
    }
}
