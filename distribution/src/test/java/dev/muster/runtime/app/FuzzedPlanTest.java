package dev.muster.runtime.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.cli.Invocation;
import dev.muster.runtime.config.KnownOptions;
import dev.muster.runtime.config.Option;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.launch.PlanCommand;
import dev.muster.runtime.output.Console;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.jspecify.annotations.Nullable;

/**
 * Any input of a user or a platform leads to a plan, or to a refusal with a message of Muster and a code for wrong input. No input leads
 * to another exception.
 */
class FuzzedPlanTest {

    private static final Set<Integer> CODES_OF_REFUSALS = Set.of(64, 65, 69, 75, 78);

    private static final String TEMPLATE_ONE = """
            {"version":"1.0","status":"completed","server_count":"1","server_list":[{"server_id":"127.0.0.1","device":[
            {"device_id":"0","device_ip":"192.168.1.1","rank_id":"0"},
            {"device_id":"1","device_ip":"192.168.1.2","rank_id":"1"}]}]}""";
    private static final String TEMPLATE_TWO = """
            {"status":"completed","group_count":"1","group_list":[{"group_name":"job-1","device_count":"1","instance_count":"1",
            "instance_list":[{"pod_name":"job-1-0","server_id":"127.0.0.1","devices":[{"device_id":"0","device_ip":"10.0.0.1"}]}]}]}""";
    private static final String LAB = """
            {"board_id":"0x0000","chip_info":"910","deploy_mode":"lab","group_count":"1","group_list":[{"device_num":"1",
            "server_num":"1","group_name":"","instance_count":"1","instance_list":[{"devices":[{"device_id":"0",
            "device_ip":"10.0.0.1"}],"rank_id":"0","server_id":"127.0.0.1"}]}],"para_plane_nic_location":"device",
            "para_plane_nic_name":["eth0"],"para_plane_nic_num":"1","status":"completed"}""";
    private static final String HOSTFILE = "# hosts\n127.0.0.1 slots=2\nnode-1:4\nnode-2 slots=1 max_slots=3\n";
    private static final String CONFIG = "{\"grace\":\"3s\",\"cards\":2,\"o\":{\"processes\":\"per-card\"}}";

    private static final List<String> ENGINES = List.of("ascend", "pytorch-gpu", "tensorflow-ps", "mpi");
    private static final List<String> VALUES = List.of(
            "",
            " ",
            "0",
            "-1",
            "1",
            "2",
            "8",
            "1e3",
            "4096",
            "2147483648",
            "99999999999999999999",
            "true",
            "off",
            "auto",
            "none",
            "node",
            "ps",
            "worker",
            "0-3,5",
            "7-2",
            "localhost",
            "127.0.0.1",
            "127.0.0.1:22",
            "::1",
            "[::1]:80",
            "999.0.0.1",
            "a.b",
            "127.0.0.1,127.0.0.2",
            "127.0.0.1,,",
            "n[1-3,7]",
            "n[1-",
            "3s",
            "0.5ms",
            "per-card",
            "../x",
            "/",
            "/none",
            "/dev/null",
            "gr\u00f6\u00dfe",
            "\u0001\n\ud83d\ude00",
            "x".repeat(300),
            "%d",
            "a=b",
            "{\"cluster\":{\"ps\":[\"127.0.0.1:1\"],\"worker\":[\"127.0.0.1:2\"]},\"task\":{\"type\":\"ps\",\"index\":0}}",
            "{\"cluster\":[]}",
            "{");

    /** The variables of all platforms, and Muster's own. */
    private static final List<String> VARIABLES = List.of(
            "MA_CURRENT_IP",
            "MA_CURRENT_INSTANCE_NAME",
            "MA_HOME",
            "MA_MOUNT_PATH",
            "MA_NUM_HOSTS",
            "MA_NUM_GPUS",
            "MA_TASK_NAME",
            "MA_VJ_NAME",
            "VC_TASK_INDEX",
            "VC_WORKER_NUM",
            "VC_WORKER_HOSTS",
            "VC_PS_HOSTS",
            "VK_TASK_INDEX",
            "RANK_TABLE_FILE",
            "XDL_IP",
            "MASTER_ADDR",
            "MASTER_PORT",
            "WORLD_SIZE",
            "RANK",
            "LOCAL_RANK",
            "LOCAL_WORLD_SIZE",
            "PET_NNODES",
            "PET_NODE_RANK",
            "PET_NPROC_PER_NODE",
            "TF_CONFIG",
            "DLWS_HOST_IP",
            "DLWS_JOB_ID",
            "DLWS_NUM_PS",
            "DLWS_NUM_WORKER",
            "DLWS_ROLE_IDX",
            "DLWS_ROLE_NAME",
            "SLURM_JOB_ID",
            "SLURM_JOB_NUM_NODES",
            "SLURM_JOB_NODELIST",
            "SLURM_NODEID",
            "SLURM_NTASKS",
            "SLURM_PROCID",
            "SLURM_STEP_NODELIST",
            "SLURM_STEP_NUM_NODES",
            "SLURM_GPUS_ON_NODE",
            "JOB_COMPLETION_INDEX",
            "KUBERNETES_SERVICE_HOST",
            "HOSTNAME",
            "OMPI_MCA_orte_default_hostfile",
            "CUDA_VISIBLE_DEVICES",
            "NVIDIA_VISIBLE_DEVICES",
            "ASCEND_VISIBLE_DEVICES",
            "TERM",
            "HOME",
            "TMPDIR",
            "MUSTER_ENGINE",
            "MUSTER_NODES",
            "MUSTER_HOSTS",
            "MUSTER_GRACE",
            "MUSTER_CONFIG",
            "MUSTER_LINK_SECRET",
            "MUSTER_NONSENSE");

    private static @Nullable Path place;
    private static final PrintStream CONSOLE = System.out;

    @BeforeContainer
    static void begin() throws IOException {
        place = Files.createTempDirectory("muster-fuzz-").toRealPath();
        System.setOut(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
    }

    @AfterContainer
    static void end() throws IOException {
        System.setOut(CONSOLE);
        try (var files = Files.list(place())) {
            files.forEach(file -> file.toFile().delete());
        }
        Files.delete(place());
    }

    private static Path place() {
        return Objects.requireNonNull(place);
    }

    private static String file(String name, byte[] content) throws IOException {
        return Files.write(place().resolve(name), content).toString();
    }

    private static String file(String name, String content) throws IOException {
        return file(name, content.getBytes(StandardCharsets.UTF_8));
    }

    private static Arbitrary<String> values() {
        return Arbitraries.frequencyOf(
                Tuple.of(8, Arbitraries.of(VALUES)),
                Tuple.of(1, Arbitraries.strings().ofMaxLength(20).filter(text -> text.indexOf('\0') < 0)));
    }

    @Provide
    Arbitrary<String> engines() {
        return Arbitraries.of(ENGINES);
    }

    @Provide
    Arbitrary<List<String>> options() {
        List<String> flags = new ArrayList<>(
                KnownOptions.ofMuster().options().stream().map(Option::flag).toList());
        flags.addAll(List.of("--rank-table", "--slots", "--hostfile", "--sshd-port", "--nonsense"));
        flags.removeAll(List.of("--input-timeout", "--conda-env", "--help", "--version"));
        Arbitrary<List<String>> one = Combinators.combine(Arbitraries.of(flags), values(), Arbitraries.of(0, 1, 1, 2))
                .as((flag, value, words) -> switch (words) {
                    case 0 -> List.of(flag);
                    case 1 -> List.of(flag, value);
                    default -> List.of(flag + "=" + value);
                });
        return one.list()
                .ofMaxSize(5)
                .map(lists -> lists.stream().flatMap(List::stream).toList());
    }

    @Provide
    Arbitrary<Map<String, String>> environments() {
        return Arbitraries.maps(Arbitraries.of(VARIABLES), values()).ofMaxSize(12);
    }

    @Provide
    Arbitrary<byte[]> tables() {
        return damaged(List.of(TEMPLATE_ONE, TEMPLATE_TWO, LAB));
    }

    @Provide
    Arbitrary<byte[]> hostfiles() {
        return damaged(List.of(HOSTFILE, "127.0.0.1\n", "localhost slots=8\n"));
    }

    @Provide
    Arbitrary<byte[]> configs() {
        return damaged(List.of(CONFIG, "{}"));
    }

    private static Arbitrary<byte[]> damaged(List<String> texts) {
        Arbitrary<byte[]> whole = Arbitraries.of(texts).map(text -> text.getBytes(StandardCharsets.UTF_8));
        return Arbitraries.oneOf(damaged(whole), damaged(damaged(whole)), damaged(damaged(damaged(damaged(whole)))));
    }

    /** Texts in which one piece is replaced by other bytes. */
    private static Arbitrary<byte[]> damaged(Arbitrary<byte[]> texts) {
        Arbitrary<byte[]> pieces = Arbitraries.oneOf(
                Arbitraries.bytes().array(byte[].class).ofMaxSize(3),
                Arbitraries.of(
                                "\"", "}", "{", "[", "]", ",", ":", "null", "-1", "1e999", "{},", "\\ud800", "\n",
                                "slots=", " ", "7")
                        .map(text -> text.getBytes(StandardCharsets.UTF_8)));
        return Combinators.combine(
                        texts, Arbitraries.integers().between(0, 1000), Arbitraries.of(0, 1, 2, 9, 60), pieces)
                .as(FuzzedPlanTest::replaced);
    }

    private static byte[] replaced(byte[] text, int thousandth, int gone, byte[] piece) {
        int at = text.length * thousandth / 1000;
        int rest = Math.min(text.length, at + gone);
        byte[] joined = new byte[at + piece.length + text.length - rest];
        System.arraycopy(text, 0, joined, 0, at);
        System.arraycopy(piece, 0, joined, at, piece.length);
        System.arraycopy(text, rest, joined, at + piece.length, text.length - rest);
        return joined;
    }

    @Property
    void anyRankTableIsReadOrRefused(@ForAll("tables") byte[] table) throws Exception {
        plan(Map.of(), "--engine", "ascend", "--platform", "none", "--rank-table", file("table.json", table));
    }

    @Property
    void anyHostfileIsReadOrRefused(@ForAll("hostfiles") byte[] hosts) throws Exception {
        plan(Map.of("OMPI_MCA_orte_default_hostfile", file("hostfile", hosts)), "--engine", "mpi");
        plan(Map.of(), "--engine", "mpi", "-o", "hostfile=" + file("hostfile", hosts));
    }

    @Property
    void anyConfigurationIsReadOrRefused(@ForAll("engines") String engine, @ForAll("configs") byte[] config)
            throws Exception {
        plan(Map.of(), "--engine", engine, "--config", file("config.json", config));
    }

    @Property
    void anyOptionsAreUnderstoodOrRefused(@ForAll("engines") String engine, @ForAll("options") List<String> options)
            throws Exception {
        List<String> words = new ArrayList<>(List.of("--engine", engine, "--platform", "none"));
        words.addAll(options);
        plan(Map.of(), words.toArray(String[]::new));
    }

    @Property
    void anyEnvironmentIsUnderstoodOrRefused(
            @ForAll("engines") String engine, @ForAll("environments") Map<String, String> environment)
            throws Exception {
        plan(environment, "--engine", engine);
        Map<String, String> withTable = new TreeMap<>(environment);
        withTable.put("RANK_TABLE_FILE", file("table.json", TEMPLATE_ONE));
        plan(withTable, "--engine", engine, "--all-nodes");
    }

    private static void plan(Map<String, String> variables, String... options) throws InterruptedException {
        List<String> arguments = new ArrayList<>(List.of("plan"));
        arguments.addAll(List.of(options));
        arguments.addAll(List.of("--", "true"));
        Map<String, String> environment = new TreeMap<>(variables);
        // PATH is empty of programs, so that the launcher runs none.
        environment.put("PATH", place().toString());
        try (Console console = Console.onto(OutputStream.nullOutputStream(), OutputStream.nullOutputStream())) {
            CommandsHere here = CommandsHere.of(arguments, environment, place(), console);
            if (here.requests().read() instanceof Invocation invocation) {
                assertThat(here.commands().get(PlanCommand.class).run(invocation))
                        .isZero();
            }
        } catch (MusterException refused) {
            assertThat(CODES_OF_REFUSALS)
                    .as(refused.getMessage())
                    .contains(refused.exitCode().code());
        }
    }
}
