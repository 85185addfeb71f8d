package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Launchers that another launcher or a cloud has started. */
@ExtendWith(Scenes.class)
class ForeignLaunchersIT {

    private static final String[] MPIRUN = {
        "mpirun", "--allow-run-as-root", "--oversubscribe", "-np", "2", "--mca", "btl", "self", "-x", "PATH"
    };

    /** One launcher refuses contradictory variables while it reads its platform. The other waits for its rank table. */
    @Test
    void whoeverRefusesWhileReadingItsPlatformTellsTheOthers(Scene scene) {
        List<Launched> launchers = new ArrayList<>();
        for (int node = 0; node < 2; node++) {
            String absent = scene.beside("no-table").toString();
            String logs = scene.beside("logs-" + node).toString();
            launchers.add(scene.muster("--engine", "ascend", "--rank-table", absent, "--log-dir", logs)
                    .with("--", "true")
                    .set("SKYPILOT_NODE_IPS", "127.0.1.1\n127.0.1.2")
                    .set("SKYPILOT_NUM_NODES", node == 0 ? "2" : "3")
                    .set("SKYPILOT_NODE_RANK", Integer.toString(node))
                    .set("SKYPILOT_TASK_ID", scene.jobId())
                    .start());
        }
        for (Launched launcher : launchers) {
            launcher.await().endedWith(78).says("SKYPILOT_NUM_NODES=3, but SKYPILOT_NODE_IPS names 2 hosts");
        }
    }

    @Test
    void severalLaunchersOfAnMpirunOnANodeAreRefused(Scene scene) {
        Components.require("mpirun");
        Result result = scene.muster("--engine", "pytorch-gpu", "--", "/bin/true")
                .behind(MPIRUN)
                .run();
        assertThat(result.exitCode()).isEqualTo(78);
        assertThat(result.messages()).contains("OMPI_COMM_WORLD_LOCAL_SIZE=2", "--map-by ppr:1:node");
    }

    /** A rank of Muster's mpirun may start another Muster, which does not take that mpirun for a foreign launcher. */
    @Test
    void aMusterThatARankOfMpiStartsBootsItsNode(Scene scene) {
        Components.require("mpirun");
        String inner =
                scene
                        .muster(
                                "--engine",
                                "pytorch-gpu",
                                "--log-dir",
                                scene.beside("inner").toString())
                        .command()
                        .stream()
                        .map(word -> "'" + word + "'")
                        .reduce("", (line, word) -> line + word + " ");
        scene.muster("--engine", "mpi", "--cards", "1", "--nodes", "1")
                .with("--", "sh", "-c", inner + "-- sh -c 'echo inside >\"" + scene.beside("note") + "\"'")
                .run()
                .endedWith(0);
        assertThat(Files.exists(scene.beside("note"))).isTrue();
    }
}
