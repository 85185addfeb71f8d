package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code muster doctor}: a line names what is broken on a node, and a sound node is quiet. */
@ExtendWith(Scenes.class)
class DoctorIT {

    private static final String[] TWO_NODES = {
        "--nodes", "2", "--node-index", "0", "--hosts", "a,b", "--job-id", "j", "--link", "off"
    };

    /**
     * A node on which something is broken.
     *
     * @param line the line of the report: level, subject and words, as a regular expression
     */
    record Broken(String name, String line, BiFunction<Scene, Invocation, Invocation> how) {

        @Override
        public String toString() {
            return name;
        }

        int exitCode() {
            return line.startsWith("wrong") ? 78 : 0;
        }
    }

    static Stream<Broken> variables() {
        return Stream.of(
                variable("NCCL_SOCKET_IFNAME", "ib7", "wrong", "is no interface of this node"),
                variable("HCCL_SOCKET_IFNAME", "=eth", "wrong", "is no interface of this node"),
                variable("GLOO_SOCKET_IFNAME", "lo,l", "wrong", "names an interface that this node has not"),
                variable("OMPI_MCA_btl_tcp_if_include", "eth99", "wrong", "names an interface"),
                variable("NCCL_IB_HCA", "mlx99", "warning", "is no RDMA adapter"),
                variable("HCCL_IF_IP", "203.0.113.9", "wrong", "is no address of this machine"),
                variable("HCCL_CONNECT_TIMEOUT", "60", "wrong", "is not from 120 to 7200"),
                variable("NCCL_TOPO_FILE", "/nowhere/topo.xml", "wrong", "is not there"),
                variable("NCCL_DEBUG", "INFO\r", "wrong", "ends with white space"),
                variable("NCCL_DEBUG", "\"INFO\"", "wrong", "has quotes"),
                variable("LD_PRELOAD", "/nowhere/a.so:/nowhere/b.so", "warning", "names a file that is not there"),
                variable("CUDA_HOME", "/nowhere", "warning", "is not there"),
                variable("TMPDIR", "/proc/nowhere", "warning", "is not there"),
                variable("CUDA_LAUNCH_BLOCKING", "1", "warning", "makes every kernel wait"),
                variable("NCCL_P2P_DISABLE", "1", "warning", "takes a fast way"),
                variable("NVIDIA_VISIBLE_DEVICES", "all", "warning", "asks for GPUs"),
                variable("OMP_NUM_THREADS", "all", "warning", "is no number"),
                variable("OMP_NUM_THREADS", "4096", "warning", "is more, for all ranks"),
                new Broken(
                        "GOMP_CPU_AFFINITY of two ranks",
                        "warning +GOMP_CPU_AFFINITY .*same cores",
                        (scene, job) -> job.with("-o", "processes=per-card", "--cards", "2", "--", "/bin/true")
                                .set("GOMP_CPU_AFFINITY", "0-1")),
                ofTwoNodes("GLOO_SOCKET_IFNAME", "lo", "wrong", "reaches no other node"),
                ofTwoNodes("MS_SCHED_HOST", "127.0.0.1", "wrong", "is another machine on each node"),
                ofTwoNodes("http_proxy", "http://proxy:3128", "warning", "is asked by gRPC"));
    }

    static Stream<Broken> nodes() {
        return Stream.of(
                new Broken(
                        "no command",
                        "wrong +launch +command \"nowhere\" not found",
                        (scene, job) -> job.with("--", "nowhere")),
                new Broken(
                        "no script",
                        "wrong +script +nowhere.py is not in ",
                        (scene, job) -> job.with("--", "python3", "-u", "nowhere.py")),
                new Broken("Windows lines", "wrong +script +run.sh has lines that end with", (scene, job) -> {
                    Scene.write(scene.directory().resolve("run.sh"), "echo a\r\necho b\r\n");
                    return job.with("--", "sh", "run.sh");
                }),
                new Broken("byte order mark", "wrong +script +run.py begins with a byte order mark", (scene, job) -> {
                    Scene.write(scene.directory().resolve("run.py"), "\ufeff#!/usr/bin/python3\n");
                    return job.with("--", "env", "run.py");
                }),
                new Broken("broken Python", "wrong +python3 +ends with 3 before", (scene, job) -> {
                    tool(scene, "python3", "exit 3");
                    return job.with("--", "python3");
                }),
                new Broken("no torch", "warning +torch +is not installed for python3", (scene, job) -> {
                    tool(scene, "python3", "echo 3.11.2; echo numpy 2.0");
                    return job.with("--", "python3");
                }),
                new Broken(
                        "cards unseen",
                        "warning +cards +2 wanted \\(--cards\\), and none is seen",
                        (scene, job) -> job.with("--cards", "2", "--", "/bin/true")),
                new Broken(
                        "too few cards", "wrong +cards +4 wanted \\(--cards\\), 2 seen by nvidia-smi", (scene, job) -> {
                            tool(scene, "nvidia-smi", "echo 'GPU 0: H100'; echo 'GPU 1: H100'");
                            return job.with("--cards", "4", "--", "/bin/true");
                        }),
                new Broken(
                        "no work directory",
                        "wrong +workdir +/etc/passwd is no directory",
                        (scene, job) -> job.with("--workdir", "/etc/passwd/work", "--", "/bin/true")),
                new Broken(
                        "no log directory",
                        "warning +log-dir +/etc/passwd is no directory",
                        (scene, job) -> job.with("--log-dir", "/etc/passwd/logs", "--", "/bin/true")),
                new Broken(
                        "a part of a job",
                        "wrong +launch +.*PBS_NUM_NODES=3",
                        (scene, job) -> job.with("--", "/bin/true").set("PBS_NUM_NODES", "3")),
                new Broken(
                        "a misspelt variable",
                        "warning +launch +.*MUSTER_GRAC.*MUSTER_GRACE",
                        (scene, job) -> job.with("--", "/bin/true").set("MUSTER_GRAC", "1m")),
                new Broken(
                        "no mpirun",
                        "wrong +launch +.*mpirun",
                        (scene, job) -> scene.muster("doctor")
                                .with("--engine", "mpi", "--", "/bin/true")
                                .set("PATH", scene.beside("bin").toString())),
                new Broken(
                        "no rank table",
                        "warning +launch +.*nowhere.json.*A launch waits",
                        (scene, job) -> scene.muster(
                                "doctor",
                                "--engine",
                                "ascend",
                                "--rank-table",
                                "/tmp/nowhere.json",
                                "--",
                                "/bin/true")),
                new Broken("a wrong rank table", "wrong +launch +.*table.json", (scene, job) -> {
                    Scene.write(scene.directory().resolve("table.json"), "{\"status\": \"failed\"}");
                    return scene.muster(
                            "doctor", "--engine", "ascend", "--rank-table", "table.json", "--", "/bin/true");
                }));
    }

    static Stream<Broken> networks() {
        return Stream.of(
                network("an unknown host", "wrong +hosts +node 1, b, has no address", "exit 2", "exit 0"),
                network(
                        "a host at 127.0.0.1",
                        "wrong +hosts +node 1, b, leads to 127.0.0.1",
                        "echo 127.0.0.1",
                        "exit 0"),
                network(
                        "another machine's index",
                        "warning +hosts +node 0, a, leads to 203.0.113.7, but this machine",
                        "echo 203.0.113.7",
                        "echo dev lo"),
                network(
                        "no route",
                        "wrong +route +there is none to node 1, b, 203.0.113.7",
                        "echo 203.0.113.7",
                        "exit 2"));
    }

    @DisplayName("a variable that frameworks misread is named with its value and what to do")
    @ParameterizedTest(name = "{0}")
    @MethodSource("variables")
    void aMisreadVariableIsNamed(Broken broken, Scene scene) {
        check(broken, broken.how.apply(scene, job(scene)).answer());
    }

    @DisplayName("what a launch would refuse or warn of, programs, scripts, cards and places are named")
    @ParameterizedTest(name = "{0}")
    @MethodSource("nodes")
    void aBrokenNodeIsNamed(Broken broken, Scene scene) {
        check(broken, broken.how.apply(scene, job(scene)).answer());
    }

    @DisplayName("wrong addresses and missing routes of the nodes are named")
    @ParameterizedTest(name = "{0}")
    @MethodSource("networks")
    void aBrokenNetworkIsNamed(Broken broken, Scene scene) {
        check(broken, broken.how.apply(scene, job(scene)).answer());
    }

    @DisplayName("the caller's limits count, not those of the launcher's JVM")
    @Test
    void lowLimitsAreNamed(Scene scene) {
        Result result = job(scene)
                .with("--", "/bin/true")
                .after("ulimit -S -n 512; ulimit -t 3600; ulimit -f 1000000; ulimit -v 200000000")
                .run();
        assertThat(result.output())
                .containsPattern("(?m)^warning +ulimit -n +512 open files")
                .containsPattern("(?m)^warning +ulimit -t +3600 seconds")
                .containsPattern("(?m)^warning +ulimit -f +[0-9]+ bytes")
                .containsPattern("(?m)^warning +ulimit -v +[0-9]+ bytes");
    }

    @DisplayName("a small /dev/shm, as in containers, is named")
    @Test
    void aSmallSharedMemoryIsNamed(Scene scene) {
        Result result = withMounts(job(scene), "mount -t tmpfs -o size=64m tmpfs /dev/shm")
                .endedWith(0);
        assertThat(result.output()).containsPattern("(?m)^warning +/dev/shm +has [0-9]+ MiB.*--shm-size");
    }

    @DisplayName("cards: a driver that does not answer, a card that has fallen off, a container without driver files")
    @Test
    void brokenCardsAreNamed(Scene scene) {
        tool(scene, "nvidia-smi", "echo 'GPU 0: H100'");
        tool(scene, "npu-smi", "exit 9");
        Result result = withMounts(
                job(scene),
                "cd " + scene.directory() + "; mkdir d; mount -t tmpfs tmpfs d",
                "for name in null zero full random urandom tty fd shm; do cp -a /dev/$name d/ ; done",
                "touch d/nvidia0 d/nvidia1 d/davinci0 d/davinci_manager; mount --bind d /dev");
        assertThat(result.exitCode()).as(result.toString()).isEqualTo(78);
        assertThat(result.output())
                .containsPattern("(?m)^warning +cards +nvidia-smi -L tells of 1, /dev has 2")
                .containsPattern("(?m)^wrong +cards +npu-smi info -l ends with 9, though /dev has 1 cards")
                .containsPattern("(?m)^warning +npu +there are NPUs, but no version in /usr/local/Ascend/driver");
    }

    private static Result withMounts(Invocation job, String... shellCommands) {
        Components.requireRoot();
        Components.require("unshare");
        return job.with("--", "/bin/true")
                .after(String.join("\n", shellCommands))
                .behind("unshare", "--mount")
                .run();
    }

    @DisplayName("a taken port is named with the process that has it, as in a launch")
    @Test
    void aTakenPortIsNamed(Scene scene) {
        try (Listener listener = Listener.on(scene)) {
            Result result = job(scene)
                    .with(TWO_NODES)
                    .with("--master-port", Integer.toString(listener.port()), "--", "/bin/true")
                    .answer();
            assertThat(result.exitCode()).as(result.toString()).isEqualTo(78);
            assertThat(result.output())
                    .containsPattern("(?m)^wrong +launch +port " + listener.port() + ".* is taken by pid [0-9]+");
        }
    }

    @DisplayName("a sound node is quiet: only ok, and a summary; alone, and as one of two")
    @Test
    void aSoundNodeIsQuiet(Scene scene) throws SocketException {
        tool(scene, "python3", "echo 3.11.2; echo torch 2.9.0");
        tool(scene, "getent", "case $2 in a) echo 127.0.0.1 STREAM a;; *) echo 203.0.113.7 STREAM b;; esac");
        tool(scene, "ip", "echo 203.0.113.7 via 192.0.2.1 dev lo src 192.0.2.2");
        for (String[] nodes : new String[][] {{}, TWO_NODES}) {
            Result result = job(scene)
                    .with(nodes)
                    // The name of this machine may resolve to 127.0.0.1.
                    .set("GLOO_SOCKET_IFNAME", nodes.length == 0 ? "lo" : anInterface())
                    .answer()
                    .endedWith(0);
            assertThat(result.outputLines())
                    .as(result.toString())
                    .hasSizeGreaterThan(7)
                    .allMatch(line -> line.startsWith("ok ") || line.matches("[0-9]+ ok, 0 warnings, 0 wrong"));
            assertThat(result.output()).contains("3.11.2, torch 2.9.0", "platform");
            assertThat(result.messages()).isEmpty();
        }
    }

    private static String anInterface() throws SocketException {
        return NetworkInterface.networkInterfaces()
                .map(NetworkInterface::getName)
                .filter(name -> !name.equals("lo"))
                .findFirst()
                .orElse("lo");
    }

    @DisplayName("the programs that the engine asks for are shown with their versions")
    @Test
    void programsAreShownWithTheirVersions(Scene scene) {
        tool(scene, "mpirun", "echo 'mpirun (Open MPI) 4.1.4'");
        Result result = scene.muster("doctor", "--engine", "mpi", "--nodes", "1", "--", "/bin/true")
                .set("PATH", scene.beside("bin") + ":" + Invocation.PATH)
                .answer();
        assertThat(result.output()).containsPattern("(?m)^ok +mpirun +.*/bin/mpirun: mpirun \\(Open MPI\\) 4.1.4$");
    }

    @DisplayName("without an engine doctor checks the machine, and writes no file")
    @Test
    void withoutAnEngineTheMachineIsLookedAt(Scene scene) {
        Result result = scene.muster("doctor").run().endedWith(0);
        assertThat(result.output()).containsPattern("(?m)^ok +limits ").doesNotContain("plan ");
        assertThat(Scene.tree(scene.directory())).containsExactly("");
    }

    @DisplayName("--format json follows docs/doctor.schema.json, and secrets are masked")
    @Test
    void machinesReadTheSame(Scene scene) {
        Result result = job(scene)
                .with("--format", "json", "--", "/bin/true", "--token", "hunter22hunter22")
                .set("NCCL_SOCKET_IFNAME", "ib7")
                .set("LD_PRELOAD", "/nowhere/hunter22hunter22.so")
                .answer();
        assertThat(result.endedWith(78).messages()).contains("exit 78: the job would fail on this node: ");
        JsonNode report = Json.parse(result.output());
        assertThat(Schema.of("doctor.schema.json").problems(report)).isEmpty();
        assertThat(report.path("exitCode").asInt()).isEqualTo(78);
        assertThat(report.path("findings"))
                .filteredOn(finding -> finding.path("level").asText().equals("wrong"))
                .singleElement()
                .satisfies(
                        finding -> assertThat(finding.path("subject").asText()).isEqualTo("NCCL_SOCKET_IFNAME"));
        assertThat(result.output()).doesNotContain("hunter22").contains("******.so");
    }

    private static LinkJob threeNodes(Scene scene, TestHosts hosts, String... options) {
        return new LinkJob(scene, hosts, LinkEngine.PYTORCH_GPU, LinkJob.Form.OPTIONS, "doctor")
                .doctor()
                .with(options)
                .running("python3");
    }

    /** The PATH of a host whose python3 has this version of torch. */
    private static String withTorch(Scene scene, String version) {
        Path programs = scene.beside("torch-" + version);
        programs.toFile().mkdir();
        scene.script("torch-" + version + "/python3", "echo 3.11.2; echo torch " + version);
        return "PATH=" + programs + ":" + Invocation.PATH;
    }

    @DisplayName("nodes meet: what is the same everywhere is one line on node 0, and a sound cluster has nothing wrong")
    @Test
    void soundNodesAreQuiet(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, 3);
        LinkJob job = threeNodes(scene, hosts);
        IntStream.range(0, 3).forEach(node -> job.behind(node, "env", withTorch(scene, "2.9.0")));
        List<Result> results = job.startOnly(0, 1, 2).end(0);
        assertThat(results.get(0).output())
                .containsPattern("(?m)^warning +nodes 0-2 +cards +1 wanted")
                .containsPattern("(?m)^ok +nodes 0-2 +python3 +3.11.2, torch 2.9.0$")
                .containsPattern("(?m)^ok +nodes 0-2 +clock +less than ")
                .containsPattern("(?m)^[0-9]+ ok, [0-9]+ warnings?, 0 wrong$")
                .doesNotContain("differs");
        assertThat(results.get(0).outputLines().get(0)).startsWith("warning");
        assertThat(results.subList(1, 3)).allMatch(result -> result.output().isEmpty());
    }

    @DisplayName("nodes meet: a bad node, another version, MTU and clock are named, and all end with 78")
    @Test
    void whatDiffersIsNamed(Scene scene) {
        Components.require("cc");
        TestHosts hosts = TestHosts.in(scene.generic(), 3);
        LinkJob job = threeNodes(scene, hosts);
        job.behind(0, "env", withTorch(scene, "2.9.0"));
        job.behind(1, "env", withTorch(scene, "2.8.0"), "NCCL_SOCKET_IFNAME=ib7");
        scene.script("torch-2.8.0/ip", "echo 203.0.113.7 dev lo");
        job.behind(2, "env", withTorch(scene, "2.9.0"), "JAVA_HOME=" + anHourAhead(scene));
        List<Result> results = job.startOnly(0, 1, 2).end(78);
        assertThat(results.get(0).output())
                .containsPattern("(?m)^wrong +node 1 +NCCL_SOCKET_IFNAME +NCCL_SOCKET_IFNAME=ib7 ")
                .containsPattern("(?m)^warning +nodes 0-2 +python3 +differs: nodes 0,2: 3.11.2, torch 2.9.0; "
                        + "node 1: 3.11.2, torch 2.8.0. Install the same")
                .containsPattern("(?m)^warning +nodes 0-2 +mtu +differs: nodes 0,2: [0-9]+ .*; node 1: 65536 ")
                .containsPattern(
                        "(?m)^warning +node 2 +clock +[+]3(599|600)[.][0-9] s from that of the node that leads")
                .containsPattern("(?m)^ok +nodes 0-2 +plan ");
        assertThat(results.get(0).outputLines().get(0)).startsWith("wrong");
        assertThat(results.get(0).messages()).contains("exit 78: the job would fail: ");
        results.get(2).says("exit 78: node 0: the job would fail");
    }

    /** A JDK whose clock is an hour ahead of the machine's. */
    private static Path anHourAhead(Scene scene) {
        Path source = scene.beside("clock.c");
        Path library = scene.beside("clock.so");
        Scene.write(source, """
                #include <sys/syscall.h>
                #include <time.h>
                #include <unistd.h>
                int clock_gettime(clockid_t clock, struct timespec *time) {
                    int result = syscall(SYS_clock_gettime, clock, time);
                    time->tv_sec += clock == CLOCK_REALTIME ? 3600 : 0;
                    return result;
                }
                """);
        scene.command("cc", "-shared", "-fPIC", "-o", library.toString(), source.toString())
                .run()
                .endedWith(0);
        Path jdk = scene.beside("jdk");
        jdk.resolve("bin").toFile().mkdirs();
        scene.script(
                "jdk/bin/java", "LD_PRELOAD=" + library + " exec " + scene.jdk().home() + "/bin/java \"$@\"");
        for (String part : List.of("lib", "conf", "release")) {
            scene.command("ln", "-s", scene.jdk().home() + "/" + part, jdk.toString())
                    .run()
                    .endedWith(0);
        }
        return jdk;
    }

    @DisplayName("nodes meet: one that never comes is named, in JSON too")
    @Test
    void aNodeThatNeverComesIsNamed(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, 3);
        LinkJob job = threeNodes(scene, hosts, "--input-timeout", "10s", "--format", "json");
        List<Result> results = job.startOnly(0, 1).end(78);
        JsonNode report = Json.parse(results.get(0).output());
        assertThat(Schema.of("doctor.schema.json").problems(report)).isEmpty();
        assertThat(report.path("findings"))
                .filteredOn(finding -> finding.path("level").asText().equals("wrong"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.toString())
                        .contains("[\"node-2\"]", "does not answer", "has not come", "Start muster doctor there"));
        hosts.assertNobodyListens();
    }

    @DisplayName("nodes meet: a node that the leader does not count to the job is named")
    @Test
    void aJobOfAnotherSizeIsNamed(Scene scene) {
        TestHosts hosts = TestHosts.in(scene, 3);
        LinkJob job = threeNodes(scene, hosts, "--input-timeout", "30s").sees(0, 2);
        List<Result> results = job.startOnly(0, 2).end(78);
        assertThat(results.get(0).output()).containsPattern("(?m)^wrong +nodes 0-1 +node +node 2 .*knows 2 nodes");
        results.get(1).says("knows 2 nodes");
    }

    @DisplayName("muster simulate --doctor: the nodes of a simulation check themselves")
    @Test
    void simulatedNodesLookAtThemselves(Scene scene) {
        Result result = scene.muster("simulate", "--doctor", "--nodes", "3", "--engine", "pytorch-gpu", "--", "true")
                .run()
                .endedWith(0);
        assertThat(result.output())
                .containsPattern("(?m)^\\[node 0\\] ok +nodes 0-2 +plan ")
                .containsPattern("(?m)^\\[node 0\\] [0-9]+ ok, 0 warnings, 0 wrong$")
                .doesNotContain("[node 1]");
    }

    private static void check(Broken broken, Result result) {
        assertThat(result.output()).as(result.toString()).containsPattern("(?m)^" + broken.line());
        if (broken.exitCode() != 0) {
            assertThat(result.exitCode()).as(result.toString()).isEqualTo(78);
        }
    }

    private static Invocation job(Scene scene) {
        return scene.muster("doctor", "--engine", "pytorch-gpu")
                .set("PATH", scene.beside("bin") + ":" + Invocation.PATH)
                .set("HOME", scene.directory().toString());
    }

    private static Broken variable(String name, String value, String level, String words) {
        return new Broken(
                name + "=" + value.strip(),
                level + " +" + name + " +" + name + "=.*" + words,
                (scene, job) -> job.with("--", "/bin/true").set(name, value));
    }

    private static Broken ofTwoNodes(String name, String value, String level, String words) {
        Broken one = variable(name, value, level, words);
        return new Broken(
                one.name + " of two nodes", one.line, (scene, job) -> one.how.apply(scene, job.with(TWO_NODES)));
    }

    /** A node on which getent and ip are these shell commands. */
    private static Broken network(String name, String line, String getent, String ip) {
        return new Broken(name, line, (scene, job) -> {
            tool(scene, "getent", getent);
            tool(scene, "ip", ip);
            return job.with(TWO_NODES).with("--", "/bin/true");
        });
    }

    /** Puts a program into PATH before the machine's own. */
    private static void tool(Scene scene, String name, String does) {
        scene.beside("bin").toFile().mkdir();
        scene.script("bin/" + name, does);
    }

    @DisplayName("every row of findings.txt is made by a check")
    @Test
    void everyFindingIsMade() throws IOException {
        Path main = Product.project().resolve("core/runtime/src/main");
        StringBuilder checks = new StringBuilder();
        try (Stream<Path> files = Files.list(main.resolve("java/dev/muster/runtime/doctor"))) {
            files.map(Scene::read).forEach(checks::append);
        }
        assertThat(Scene.read(main.resolve("resources/dev/muster/runtime/doctor/findings.txt"))
                        .lines()
                        .filter(line -> !line.startsWith("#"))
                        .map(line -> line.split(" \\| ", -1)[0].replaceFirst("^limit[.]", "")))
                .doesNotHaveDuplicates()
                .hasSizeGreaterThan(30)
                .allMatch(key -> checks.indexOf("\"" + key + "\"") >= 0);
    }
}
