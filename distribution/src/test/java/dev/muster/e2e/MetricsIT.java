package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The metrics of a job. */
@ExtendWith(Scenes.class)
class MetricsIT {

    @Test
    @DisplayName(
            "--metrics-file has ranks, restarts, state, time to the first rank and exit code, and is always complete")
    void theFileFollowsTheJob(Scene scene) throws IOException {
        Path file = scene.directory().resolve("m.prom");
        String rank = scene.script(
                "rank",
                "until grep -q 'state=\"running\"} 1' m.prom; do sleep 0.02; done",
                "cp m.prom $scene/seen-$MUSTER_RUN.$RANK",
                "[ $MUSTER_RUN = 2 ] || exit 3");
        job(scene, "--metrics-file", "m.prom", "--restarts", "1")
                .with("--", rank)
                .run()
                .endedWith(0);

        String labels = "{job=\"" + scene.jobId() + "\",node=\"0\"";
        String second = Scene.read(scene.beside("seen-2.0"));
        assertThat(second.lines())
                .contains(
                        "muster_info" + labels + ",engine=\"pytorch-gpu\",platform=\"none\"} 1",
                        "muster_state" + labels + ",state=\"preparing\"} 0",
                        "muster_state" + labels + ",state=\"running\"} 1",
                        "# TYPE muster_ranks gauge",
                        "muster_ranks" + labels + "} 2",
                        "muster_restarts_total" + labels + "} 1")
                .allMatch(line -> line.matches("# (HELP|TYPE) muster_.*|muster_[a-z_]+\\{[a-z]+=\"[^\"]*\".*} [0-9.]+"))
                .noneMatch(line -> line.contains("exit_code"));
        assertThat(second).containsPattern("\nmuster_first_rank_seconds\\{.*} [0-9]+\\.[0-9]{3}\n");
        assertThat(Scene.read(file).lines())
                .contains(
                        "muster_state" + labels + ",state=\"ended\"} 1",
                        "muster_ranks" + labels + "} 0",
                        "muster_restarts_total" + labels + "} 1",
                        "muster_exit_code" + labels + "} 0")
                .anyMatch(line -> line.startsWith("muster_end_time_seconds"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-r--r--");
        assertThat(Scene.tree(scene.directory())).noneMatch(name -> name.startsWith("."));
    }

    @Test
    @DisplayName("a device such as /dev/null stays a device: the launcher renames no file over it")
    void aDeviceStays(Scene scene) {
        Path device = scene.directory().resolve("null");
        scene.command("mkfifo", device.toString()).run().endedWith(0);
        job(scene, "--metrics-file", device.toString())
                .with("--", "true")
                .run()
                .endedWith(0)
                .says("no metrics", device.toString(), "it is a device, a pipe or a socket");
        assertThat(Files.isRegularFile(device)).isFalse();
    }

    @Test
    @DisplayName("a refusal is in the file; a file that cannot be written causes one warning, and the job goes on")
    void whatGoesWrong(Scene scene) {
        job(scene, "--metrics-file", "m.prom")
                .with("--", "./no-such-program")
                .run()
                .endedWith(127);
        assertThat(Scene.read(scene.directory().resolve("m.prom"))).containsPattern("\nmuster_exit_code\\{.*} 127\n");
        Result result = job(scene, "--metrics-file", "missing/m.prom")
                .with("--", "true")
                .run()
                .endedWith(0)
                .says("no metrics: ", "missing/m.prom");
        assertThat(result.messages().lines().filter(line -> line.contains("no metrics")))
                .hasSize(1);
    }

    private static Invocation job(Scene scene, String... options) {
        return scene.apart(scene.muster("--engine", "pytorch-gpu", "--platform", "none")
                .with("--cards", "2", "--job-id", scene.jobId())
                .with(options));
    }
}
