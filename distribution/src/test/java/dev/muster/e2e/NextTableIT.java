package dev.muster.e2e;

import static dev.muster.e2e.RankTables.server;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which rank table the next attempt of a job takes. The test writes the tables as MindX DL's controller does. */
@ExtendWith(Scenes.class)
class NextTableIT {

    private static final String TWO_CARDS = RankTables.templateOne(server("192.168.0.25", "0 10.0.0.1", "1 10.0.0.2"));
    private static final String OTHER_CARDS =
            RankTables.templateOne(server("192.168.0.25", "5 10.0.0.6", "6 10.0.0.7", "7 10.0.0.8"));
    private static final String OTHER_SERVER = RankTables.templateOne(server("192.168.0.77", "0 10.0.0.9"));

    private static Path table(Scene scene) throws IOException {
        return Files.createDirectories(scene.beside("config")).resolve("hccl.json");
    }

    /** Ranks that note that they run, and end as the test says for their attempt. */
    private static Invocation launcher(Scene scene, Path table, String... options) {
        String rank = scene.script(
                "rank",
                ": > $scene/run-$MUSTER_RUN-rank-$RANK_ID-of-$RANK_SIZE",
                "until [ -e $scene/end-$MUSTER_RUN ]; do sleep 0.02; done",
                "[ $RANK_ID = 0 ] && exit $(cat $scene/end-$MUSTER_RUN)",
                "[ $(cat $scene/end-$MUSTER_RUN) = 0 ] || exec sleep 600");
        return scene.apart(scene.muster("--engine", "ascend", "--job-id", scene.jobId())
                .with("--rank-table", table.toString())
                .set("XDL_IP", "192.168.0.25")
                .with("--restarts", "4")
                .with(options)
                .with("--", rank));
    }

    private static void end(Scene scene, int run, int code) {
        Scene.write(scene.beside("t.end"), Integer.toString(code));
        scene.beside("t.end").toFile().renameTo(scene.beside("end-" + run).toFile());
    }

    @Test
    @DisplayName("the next attempt waits for a complete table with this server, and takes one that does not change")
    void theNextRunHasTheRanksOfTheTableThatIsThereThen(Scene scene) throws IOException {
        Path table = table(scene);
        Scene.write(table, TWO_CARDS);
        Launched launcher = launcher(scene, table).start();
        scene.awaitFiles("run-1-rank-0-of-2", "run-1-rank-1-of-2");

        Scene.write(table, "{\"status\": \"initializing\"}");
        end(scene, 1, 3);
        launcher.awaitMessage("is still \"initializing\"");
        Scene.write(table, OTHER_CARDS.substring(0, OTHER_CARDS.length() / 2));
        launcher.awaitMessage("is cut off");
        Scene.write(table, OTHER_SERVER);
        launcher.awaitMessage("leaves out this node: server \"192.168.0.25\" (XDL_IP) is not in the rank table");
        Scene.write(table, OTHER_CARDS);
        scene.awaitFiles("run-2-rank-0-of-3", "run-2-rank-1-of-3", "run-2-rank-2-of-3");

        end(scene, 2, 4);
        scene.awaitFiles("run-3-rank-0-of-3", "run-3-rank-2-of-3");
        Scene.write(table, TWO_CARDS);
        end(scene, 3, 5);
        scene.awaitFiles("run-4-rank-0-of-2", "run-4-rank-1-of-2");
        end(scene, 4, 0);
        launcher.await().endedWith(0).says("after 4 runs");
        assertThat(scene.beside("run-4-rank-2-of-3")).doesNotExist();
        scene.assertNothingIsLeft();
    }

    @Test
    @DisplayName("a table without this host until --input-timeout is 75, in a later attempt and in a new container")
    void aTableWithoutThisHostIsTemporary(Scene scene) throws IOException {
        Path table = table(scene);
        Scene.write(table, TWO_CARDS);
        Launched launcher = launcher(scene, table, "--input-timeout", "1s").start();
        scene.awaitFiles("run-1-rank-0-of-2");
        Scene.write(table, OTHER_SERVER);
        end(scene, 1, 3);
        launcher.await()
                .endedWith(75)
                .says("leaves out this node", "it lists: 192.168.0.77", "after 1s", "--input-timeout");
        launcher(scene, table, "--input-timeout", "1s").run().endedWith(75).says("leaves out this node");
        assertThat(scene.beside("run-2-rank-0-of-2")).doesNotExist();
        scene.assertNothingIsLeft();
    }
}
