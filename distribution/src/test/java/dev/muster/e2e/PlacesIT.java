package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The working directories of ranks, and the places of logs and rank tables. */
@ExtendWith(Scenes.class)
class PlacesIT {

    private static final String TWO_CARDS =
            RankTables.templateTwo(RankTables.pod("job-0", "192.168.0.25", "0 10.0.0.1", "1 10.0.0.2"));

    @Test
    void aSecondStartInTheSameContainerFindsEverythingInPlace(Scene scene) {
        Probe probe = Probe.in(scene);
        ModelArtsNode node = ModelArtsNode.of(scene, "job-0", TWO_CARDS);
        Scene.write(node.table(), TWO_CARDS);
        node.muster(scene).with(probe.program()).run().endedWith(0);
        String table = Scene.read(node.convertedTable());
        // The variable may name the rank table file itself.
        node.muster(scene)
                .with(probe.program())
                .set("RANK_TABLE_FILE", node.table().toString())
                .set("RANK_TABLE_FILE_V_1_0", "")
                .run()
                .endedWith(0);
        assertThat(probe.rank(1).environment())
                .containsEntry("RANK_TABLE_FILE", node.convertedTable().toString());
        assertThat(node.convertedTable()).hasContent(table);
        assertThat(Scene.tree(node.tables())).containsExactly("", ModelArtsNode.TABLE);
    }

    @Test
    void optionsOverrideThePlacesOfThePlatform(Scene scene) {
        Probe probe = Probe.in(scene);
        ModelArtsNode node = ModelArtsNode.of(scene, "job-0", TWO_CARDS);
        node.muster(
                        scene,
                        "--workdir",
                        scene.beside("work").toString(),
                        "--log-dir",
                        scene.beside("logs").toString())
                .with(probe.program())
                .run()
                .endedWith(0);
        assertThat(probe.rank(1).workDirectory()).isEqualTo(scene.beside("work"));
        assertThat(scene.beside("logs").resolve(node.log(1, 1).getFileName())).hasContent("rank 1 was here");
        assertThat(node.mount().resolve("workspace")).doesNotExist();
        assertThat(Scene.tree(node.logs())).containsExactly("");
    }

    @Test
    void logsGoToTmpWhenTheMountHasNoLogDirectory(Scene scene) throws Exception {
        Path shared = Path.of("/tmp/log");
        boolean wasThere = Files.exists(shared);
        Assumptions.assumeTrue(!wasThere || Files.isWritable(shared), shared + " belongs to somebody else");
        String id = "e2e-" + scene.tag();
        Probe probe = Probe.in(scene);
        ModelArtsNode node = ModelArtsNode.of(scene, "job-0", TWO_CARDS);
        Files.delete(node.logs());
        try {
            node.muster(scene).with(probe.program()).set("MA_VJ_NAME", id).run().endedWith(0);
            assertThat(shared.resolve(id + "-proc-rank-0-device-0.txt")).hasContent("rank 0 was here");
            assertThat(probe.rank(1).environment())
                    .containsEntry("ASCEND_PROCESS_LOG_PATH", shared + "/" + id + "/ascend/process_log/rank_1");
        } finally {
            String clear =
                    "rm -rf /tmp/log/" + id + "*" + (wasThere ? "" : "; rmdir --ignore-fail-on-non-empty /tmp/log");
            scene.command("/bin/sh", "-c", clear).run();
        }
    }

    @Test
    void aConvertedTableThatCannotBeWrittenGoesToAPrivateDirectory(Scene scene) {
        ModelArtsNode node = ModelArtsNode.of(
                scene, "job-0", RankTables.templateTwo(RankTables.pod("job-0", "192.168.0.25", "0 10.0.0.1")));
        Scene.write(node.mount().resolve("rank_table"), "a file where the directory should be");
        String keeper = scene.script(
                "keeper", "cp \"$RANK_TABLE_FILE\" $scene/seen.json", "stat -c %a \"$(dirname \"$RANK_TABLE_FILE\")\"");
        Result result =
                node.muster(scene, "--prefix", "none").with(keeper).run().endedWith(0);
        result.says("rank_table", "warning");
        assertThat(result.outputLines()).containsExactly("700");
        assertThat(Scene.read(scene.beside("seen.json")))
                .startsWith("{\"status\": \"completed\", \"version\": \"1.0\"");
    }

    @Test
    void theTableMayBeNamedByItsDirectory(Scene scene) throws Exception {
        Probe probe = Probe.in(scene);
        Path tables = Files.createDirectory(scene.directory().resolve("tables"));
        Scene.write(tables.resolve(ModelArtsNode.TABLE), RankTables.oneServer(1));
        scene.muster("--engine", "ascend", "--rank-table", "tables", "--", probe.program())
                .run()
                .endedWith(0);
        assertThat(probe.rank(0).environment())
                .containsEntry(
                        "RANK_TABLE_FILE", tables.resolve(ModelArtsNode.TABLE).toString());
    }

    @Test
    void aDirectoryThatCannotBeMadeIsNamed(Scene scene) {
        ModelArtsNode node = ModelArtsNode.of(scene, "job-0", TWO_CARDS);
        Scene.write(node.mount().resolve("workspace"), "a file where the directory should be");
        Probe probe = Probe.in(scene);
        node.muster(scene)
                .with(probe.program())
                .run()
                .endedWith(78)
                .says(node.mount().resolve("workspace").toString());
        assertThat(probe.wasStarted()).isFalse();
    }

    @Test
    void aRankThatCannotStartStopsThoseBeforeIt(Scene scene) {
        // The second working directory cannot be made: a file is in its place.
        String table = RankTables.templateTwo(RankTables.pod("job-0", "192.168.0.25", "0 10.0.0.1", "1 10.0.0.2"));
        ModelArtsNode node = ModelArtsNode.of(scene, "job-0", table);
        assertThat(node.mount().resolve("workspace").toFile().mkdir()).isTrue();
        Scene.write(node.workDirectory(1), "");
        String rank = scene.script("rank", "exec sleep 600");
        node.muster(scene)
                .with(rank)
                .run()
                .endedWith(78)
                .says(node.workDirectory(1).toString());
        scene.assertNothingIsLeft();
        assertThat(Files.exists(node.log(1, 1))).isFalse();
    }

    @Test
    void thePrefixCanNameTheNodeToo(Scene scene) {
        ModelArtsNode node = ModelArtsNode.of(
                scene,
                "job-3",
                RankTables.templateTwo(
                        RankTables.pod("job-3", "192.168.0.25", "0 10.0.0.1"),
                        RankTables.pod("job-4", "192.168.0.26", "0 10.0.0.2")));
        Result result = node.muster(scene, "--prefix", "node")
                .with("echo", "hello")
                .run()
                .endedWith(0);
        assertThat(result.outputLines())
                .hasSize(1)
                .first()
                .asString()
                .endsWith("hello")
                .matches(".*[0-9].*hello");
    }
}
