package dev.muster.e2e;

import static dev.muster.e2e.RankTables.server;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which checkpoints of a dying gasp the ranks of a hybrid-parallel job are told to load. */
@ExtendWith(Scenes.class)
class RestoreRanksIT {

    private static final String TABLE = RankTables.templateOne(server("192.168.0.25", "0 10.0.0.1", "1 10.0.0.2"));

    @Test
    @DisplayName(
            "5 RESTORE_RANKS and RESTORE_RANKS_MAP; checkpoints that are missing or unequal are named, and it is -1")
    void ranksLoadOnlyWhatIsThereAndEqual(Scene scene) throws IOException {
        Path strategy = scene.beside("restore.json");
        Scene.write(scene.beside("table.json"), TABLE);
        Scene.write(
                strategy,
                "{\"ranks\": [0, 1], \"map\": {\"0\": 0, \"1\": 1}, \"pattern\": \"" + scene.beside("ckpt")
                        + "/rank_{rank}/pangu*_breakpoint.ckpt\"}");
        Result missing = launch(scene, strategy)
                .says("breakpoint of rank 0 is missing", "breakpoint of rank 1 is missing", "rank_1/pangu*");
        assertThat(told(missing)).isEqualTo("-1 {}");

        checkpoint(scene, 0, "pangu0-1_7_breakpoint.ckpt", "0123456789");
        checkpoint(scene, 1, "pangu1-1_7_breakpoint.ckpt", "012345678");
        Result unequal = launch(scene, strategy)
                .says(
                        "breakpoint of rank 1 has 9 bytes: ",
                        "pangu1-1_7_breakpoint.ckpt",
                        "breakpoint of rank 0 has 10 bytes");
        assertThat(told(unequal)).isEqualTo("-1 {}");

        checkpoint(scene, 1, "pangu1-2_7_breakpoint.ckpt", "0123456789");
        Result equal = launch(scene, strategy).says("ranks restore the checkpoints of ranks 0-1");
        assertThat(told(equal)).isEqualTo("0,1 {\"0\": 0, \"1\": 1}");
    }

    private static Result launch(Scene scene, Path strategy) {
        return scene.muster("--engine", "ascend", "--job-id", "pangu", "--prefix", "none")
                .with("--rank-table", scene.beside("table.json").toString())
                .with("-o", "restore-ranks=" + strategy, "--")
                .with("/bin/sh", "-c", "[ $RANK_ID = 1 ] || echo \"told: $RESTORE_RANKS $RESTORE_RANKS_MAP\"")
                .run()
                .endedWith(0);
    }

    private static String told(Result result) {
        return result.output()
                .lines()
                .filter(line -> line.startsWith("told: "))
                .findFirst()
                .orElseThrow()
                .substring("told: ".length());
    }

    private static void checkpoint(Scene scene, int rank, String name, String content) throws IOException {
        Scene.write(Files.createDirectories(scene.beside("ckpt/rank_" + rank)).resolve(name), content);
    }
}
