package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A server without a rank table and without cards. */
@ExtendWith(Scenes.class)
class BareAscendServerIT {

    @OnOneJdk
    void aServerWithoutCardsRunsOneProcessWhereTheCallerIs(Scene scene) {
        assumeNoCards();
        Probe probe = Probe.in(scene);
        scene.muster("--engine", "ascend", "--job-id", "mine", "--", probe.program())
                .run()
                .endedWith(0);
        assertThat(probe.count()).isEqualTo(1);
        assertThat(probe.rank(0).environment())
                .containsEntry("JOB_ID", "mine")
                .containsEntry("RANK_ID", "0")
                .containsEntry("RANK_SIZE", "1")
                .containsEntry("DEVICE_ID", "0")
                .containsEntry("ASCEND_DEVICE_ID", "0")
                .doesNotContainKey("RANK_TABLE_FILE");
        assertThat(probe.rank(0).workDirectory()).isEqualTo(scene.directory());
        assertThat(scene.directory().resolve("muster-logs/mine-proc-rank-0-device-0.txt"))
                .hasContent("rank 0 was here");
        assertThat(scene.directory().resolve("muster-logs/mine-node-0-result.json"))
                .exists();
    }

    @Test
    void aJobWithoutANameGetsOneFromTimeAndPid(Scene scene) {
        assumeNoCards();
        Probe probe = Probe.in(scene);
        Launched launcher =
                scene.muster("--engine", "ascend", "--", probe.program()).start();
        launcher.await().endedWith(0);
        assertThat(probe.rank(0).environment().get("JOB_ID")).contains(Long.toString(launcher.pid()));
    }

    /** On an Ascend server these tests would find cards. */
    private static void assumeNoCards() {
        for (String path : List.of("/etc/hccn.conf", "/dev/davinci0", "/user/config/jobstart_hccl.json")) {
            Assumptions.assumeFalse(Files.exists(Path.of(path)), path + " exists: this is an Ascend server");
        }
    }
}
