package dev.muster.e2e;

import static dev.muster.e2e.RankTables.server;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Ranks find the same as under MindX DL's {@code train_start.sh} and {@code main.sh}. The CANN of the test is a fake. */
@Order(1)
@ExtendWith(Scenes.class)
class FrameworkContractIT {

    private static final RankTables.Pod[] TWO_SERVERS = {
        server("192.168.0.25", "0 10.0.0.1", "1 10.0.0.2"), server("192.168.0.26", "0 10.0.0.3", "1 10.0.0.4")
    };

    /** A rank that notes its CPUs, arguments, environment and directory. */
    private static String program(Scene scene) {
        return scene.script(
                "rank",
                "mkdir -p $scene/ranks",
                "sed -n 's/^Cpus_allowed_list:[^0-9]*//p' /proc/self/status > $scene/ranks/$me.cpus",
                "printf '%s\\n' \"$@\" > $scene/ranks/$me.arguments",
                "cat /proc/$$/environ > $scene/ranks/$me.environ",
                "pwd > $scene/ranks/$me.directory");
    }

    private static String noted(Scene scene, int rank, String what) {
        return Scene.read(scene.beside("ranks/" + rank + "." + what)).strip();
    }

    /** The variables that a rank has, but the launcher lacks or has with another value. */
    private static Map<String, String> added(Scene scene, int rank, Invocation launcher) {
        Map<String, String> added = new TreeMap<>();
        for (String variable :
                Scene.read(scene.beside("ranks/" + rank + ".environ")).split("\0", 0)) {
            int equals = variable.indexOf('=');
            added.put(variable.substring(0, equals), variable.substring(equals + 1));
        }
        added.entrySet().removeAll(launcher.environment().entrySet());
        // This variable marks the processes of the job for the runtime.
        added.remove("MUSTER_JOB");
        return added;
    }

    private static Path table(Scene scene) {
        // As in a mounted ConfigMap: a symbolic link to a symbolic link.
        Path config = directory(scene.beside("config"));
        Path data = directory(config.resolve("..2026_11_22"));
        Scene.write(data.resolve("hccl.json"), RankTables.templateOne(TWO_SERVERS));
        try {
            Files.createSymbolicLink(config.resolve("..data"), Path.of("..2026_11_22"));
            return Files.createSymbolicLink(config.resolve("hccl.json"), Path.of("..data/hccl.json"));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static Path directory(Path path) {
        try {
            return Files.createDirectories(path);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static Path cann(Scene scene, String... lines) {
        Path cann = scene.beside("Ascend");
        directory(cann.resolve("ascend-toolkit/latest"));
        Scene.write(cann.resolve("ascend-toolkit/set_env.sh"), String.join("\n", lines) + "\n");
        return cann.resolve("ascend-toolkit/latest");
    }

    /** Node 1 of 2, without its leader. With a link, a node that refuses would wait half a minute to tell the leader. */
    private static Invocation launcher(Scene scene, Path table, String framework, Path cann, String... options) {
        return scene.muster("--engine", "ascend", "--job-id", "resnet", "--nodes", "2", "--node-index", "1")
                .with("--link", "off")
                .with("--rank-table", table.toString(), "--framework", framework)
                .set("ASCEND_TOOLKIT_HOME", cann.toString())
                .with(options)
                .with("--");
    }

    private static Map<String, String> common(Scene scene, int rank, Path table) {
        return Map.of(
                "ASCEND_PROCESS_LOG_PATH",
                scene.logs() + "/resnet/ascend/process_log/rank_" + rank,
                "HCCL_CONNECT_TIMEOUT",
                "1800",
                "JOB_ID",
                "123456789",
                "PYTHONUNBUFFERED",
                "1",
                "RANK_ID",
                Integer.toString(rank),
                "RANK_TABLE_FILE",
                table.toString());
    }

    @OnOneJdk
    void tensorFlowAsAWhole(Scene scene) {
        Components.require("taskset");
        Path table = table(scene);
        Path cann = cann(
                scene,
                "export ASCEND_TOOLKIT_HOME=/toolkit LD_LIBRARY_PATH=/toolkit/lib64:$LD_LIBRARY_PATH",
                "export PYTHONPATH=/toolkit/python:$PYTHONPATH PATH=/toolkit/bin:$PATH NOTE='two",
                "lines $(touch " + scene.beside("executed") + ")'",
                "echo noise");
        Invocation launcher = launcher(scene, table, "tensorflow", cann)
                .with(program(scene), "--epochs=3")
                .set("PYTHONPATH", "/mine");

        launcher.run().endedWith(0).says("ranks get the environment of " + cann.resolveSibling("set_env.sh"));

        Map<String, String> expected = new TreeMap<>(common(scene, 3, table));
        expected.putAll(Map.of(
                "ASCEND_DEVICE_ID", "1",
                "ASCEND_TOOLKIT_HOME", "/toolkit",
                "DEVICE_ID", "1",
                "DEVICE_INDEX", "3",
                "LD_LIBRARY_PATH", "/toolkit/lib64:",
                "NOTE", "two\nlines $(touch " + scene.beside("executed") + ")",
                "PATH", "/toolkit/bin:" + Invocation.PATH,
                "PYTHONPATH", scene.directory() + ":/toolkit/python:/mine",
                "RANK_SIZE", "4"));
        assertThat(added(scene, 3, launcher)).isEqualTo(expected);
        assertThat(noted(scene, 3, "arguments")).isEqualTo("--epochs=3");
        assertThat(noted(scene, 3, "directory")).isEqualTo(scene.directory().toString());
        assertThat(scene.beside("executed")).doesNotExist();
    }

    @Test
    void ranksShareTheCpusThatTheLauncherMayUse(Scene scene) {
        Components.require("taskset");
        assumeThat(Runtime.getRuntime().availableProcessors()).isGreaterThan(1);
        Path table = table(scene);
        Path cann = cann(scene, ":");

        launcher(scene, table, "tensorflow", cann).with(program(scene)).run().endedWith(0);

        assertThat(noted(scene, 2, "cpus")).isNotEmpty().isNotEqualTo(noted(scene, 3, "cpus"));

        String one = noted(scene, 3, "cpus").split("[,-]", 2)[0];
        launcher(scene, table, "tensorflow", cann)
                .with(program(scene))
                .behind("taskset", "-c", one)
                .run()
                .endedWith(0)
                .says("ranks are not bound to CPUs: this node may use CPUs \"" + one + "\", fewer than 2 ranks need");
        assertThat(noted(scene, 2, "cpus")).isEqualTo(one);
        assertThat(noted(scene, 3, "cpus")).isEqualTo(one);
    }

    @Test
    void pyTorchAsAWhole(Scene scene) {
        Path table = table(scene);
        Invocation launcher = launcher(scene, table, "pytorch", cann(scene, ":"))
                .with(program(scene), "--dist-url=tcp://127.0.0.1:50000")
                .set("DEVICE_ID", "7")
                .set("HCCL_IF_IP", "10.1.1.1");

        launcher.run().endedWith(0);

        Map<String, String> expected = new TreeMap<>(common(scene, 2, table));
        expected.putAll(Map.of(
                "ASCEND_GLOBAL_EVENT_ENABLE", "0",
                "ASCEND_GLOBAL_LOG_LEVEL", "3",
                "ASCEND_SLOG_PRINT_TO_STDOUT", "0",
                "HCCL_WHITELIST_DISABLE", "1",
                "MASTER_ADDR", "192.168.0.25",
                "PYTHONPATH", scene.directory().toString(),
                "RANK", "1",
                "RANK_SIZE", "2",
                "TASK_QUEUE_ENABLE", "1",
                "WORLD_SIZE", "2"));
        assertThat(added(scene, 2, launcher)).isEqualTo(expected);
        assertThat(Scene.read(scene.beside("ranks/2.environ"))).doesNotContain("\0DEVICE_ID=");
        assertThat(noted(scene, 3, "arguments"))
                .isEqualTo("--dist-url=tcp://127.0.0.1:50000\n--gpu=1\n--addr=192.168.0.25\n--world-size=2\n--rank=1");
    }

    @Test
    void mindSporeAsAWhole(Scene scene) throws IOException {
        Path table = table(scene);
        Invocation launcher =
                launcher(scene, table, "mindspore", cann(scene, ":")).with(program(scene));

        launcher.run().endedWith(0);

        Path rank = scene.directory().resolve("device3");
        Map<String, String> expected = new TreeMap<>(common(scene, 3, table));
        expected.putAll(Map.of(
                "ASCEND_DEVICE_ID", "1",
                "DEVICE_ID", "1",
                "DEVICE_NUM", "4",
                "GROUP_INFO_FILE", rank + "/group_info.pb",
                "PYTHONPATH", scene.directory().toString(),
                "RANK_SIZE", "4",
                "SERVER_ID", "1",
                "SERVER_NUM", "2"));
        assertThat(added(scene, 3, launcher)).isEqualTo(expected);
        assertThat(noted(scene, 3, "directory")).isEqualTo(rank.toString());
        assertThat(noted(scene, 3, "arguments")).isEmpty();
    }

    @Test
    void directoriesThatAreKeptAreKept(Scene scene) {
        Path theirs = directory(scene.directory().resolve("device2"));
        Scene.write(theirs.resolve("checkpoint"), "x");

        launcher(scene, table(scene), "mindspore", cann(scene, ":"))
                .with(scene.script("rank", "test -e checkpoint || test $RANK_ID = 3"))
                .run()
                .endedWith(0);

        assertThat(theirs.resolve("checkpoint")).exists();
    }

    @Test
    void aSingleCardGetsNoTable(Scene scene) {
        Probe probe = Probe.in(scene);
        Path table = scene.beside("hccl.json");
        Scene.write(table, RankTables.templateOne(server("192.168.0.25", "5 10.0.0.1")));

        scene.muster("--engine", "ascend", "--framework", "pytorch")
                .set("ASCEND_TOOLKIT_HOME", cann(scene, ":").toString())
                .with("--rank-table", table.toString(), "--", probe.program())
                .set("RANK_TABLE_FILE", "/nowhere")
                .run()
                .endedWith(0);

        assertThat(probe.rank(0).arguments()).containsExactly("--gpu=0");
        assertThat(probe.rank(0).environment())
                .containsEntry("RANK_SIZE", "1")
                .containsEntry("DEVICE_NUM", "1")
                .containsEntry("DEVICE_INDEX", "0")
                .doesNotContainKeys("RANK_TABLE_FILE", "MINDSPORE_HCCL_CONFIG_PATH", "MASTER_ADDR");
    }

    @Test
    void cannThatCannotBeReadIsRefused(Scene scene) {
        Probe probe = Probe.in(scene);
        Path table = table(scene);

        launcher(scene, table, "pytorch", cann(scene, "exit 3"))
                .with(probe.program())
                .answer()
                .endedWith(78)
                .says(scene.beside("Ascend").toString(), "ended the shell with exit code 3");
        launcher(scene, table, "pytorch", cann(scene, "export LARGE=$(printf '%070000d' 0)"))
                .with(probe.program())
                .answer()
                .endedWith(78)
                .says("more than 64 KiB");
        assertThat(probe.wasStarted()).isFalse();
    }

    @Test
    void aContractHoldsOnAnyPlatform(Scene scene) {
        Probe probe = Probe.in(scene);
        ModelArtsNode node = ModelArtsNode.of(
                scene,
                "job-1",
                RankTables.templateTwo(
                        RankTables.pod("job-0", "192.168.0.25", "0 10.0.0.1"),
                        RankTables.pod("job-1", "192.168.0.26", "0 10.0.0.3")));

        node.muster(scene, "--framework", "pytorch")
                .with(probe.program())
                .set("ASCEND_TOOLKIT_HOME", cann(scene, ":").toString())
                .run()
                .endedWith(0);

        assertThat(probe.rank(1).environment())
                .containsAllEntriesOf(Map.of(
                        "JOB_ID", "123456789",
                        "MASTER_ADDR", "192.168.0.25",
                        "RANK", "1",
                        "RANK_TABLE_FILE", node.convertedTable().toString(),
                        "WORLD_SIZE", "2"));
        assertThat(probe.rank(1).workDirectory()).isEqualTo(node.workDirectory(0));
    }

    @Test
    void aPlanShowsWhatALaunchWouldDo(Scene scene) {
        Path table = table(scene);
        Result plan = scene.muster("plan", "--engine", "ascend", "--nodes", "2", "--node-index", "1")
                .with("--rank-table", table.toString(), "--framework", "mindspore", "--job-id", "resnet")
                .set("ASCEND_TOOLKIT_HOME", cann(scene, ":").toString())
                .with("--", "true")
                .set("S3_SECRET", "do-not-show")
                .answer()
                .endedWith(0);

        assertThat(plan.output()).contains("device2", "SERVER_ID: 1").doesNotContain("do-not-show");
        assertThat(scene.directory()).isEmptyDirectory();
    }
}
