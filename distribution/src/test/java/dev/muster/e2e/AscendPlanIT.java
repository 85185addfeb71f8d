package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The plans of ModelArts jobs, with the nodes and inputs that only such jobs have. */
@ExtendWith(Scenes.class)
class AscendPlanIT {

    private static final String TWO_NODES = RankTables.templateTwo(
            RankTables.pod("job-0", "192.168.0.25", "0 10.0.0.1", "1 10.0.0.2"),
            RankTables.pod("job-1", "192.168.0.26", "0 10.0.0.3", "1 10.0.0.4"));

    private static Invocation plan(Scene scene, ModelArtsNode node, String... options) {
        return scene.muster("plan", "--engine", "ascend")
                .with(options)
                .with("--", "/bin/echo", "hello")
                .set(node.environment());
    }

    @OnOneJdk
    void aPlanShowsWhatEveryRankGets(Scene scene) {
        ModelArtsNode node = ModelArtsNode.of(scene, "job-1", TWO_NODES);
        List<String> before = Scene.tree(scene.beside(""));
        Result text = plan(scene, node).run().endedWith(0);
        for (String word : List.of(
                "/bin/echo",
                "hello",
                "RANK_ID",
                "RANK_SIZE",
                "HCCL_CONNECT_TIMEOUT",
                "modelarts",
                "modelarts-job-e2e",
                node.workDirectory(1).toString(),
                node.convertedTable().toString(),
                "modelarts-job-e2e-proc-rank-3-device-1.txt")) {
            assertThat(text.output()).contains(word);
        }
        JsonNode json = Json.parse(
                plan(scene, node, "--format", "json").answer().endedWith(0).output());
        assertThat(json.findValuesAsText("RANK_ID")).contains("2", "3").doesNotContain("0", "1");
        assertThat(json.findValuesAsText("RANK_SIZE")).containsOnly("4");
        assertThat(withoutCaptures(Scene.tree(scene.beside("")))).isEqualTo(withoutCaptures(before));
    }

    private static List<String> withoutCaptures(List<String> files) {
        return files.stream().filter(name -> !name.startsWith("captured-")).toList();
    }

    @Test
    void allNodesOfTheJobAreShown(Scene scene) {
        ModelArtsNode node = ModelArtsNode.of(scene, "job-0", TWO_NODES);
        Result result =
                plan(scene, node, "--all-nodes", "--format", "json").answer().endedWith(0);
        assertThat(Json.parse(result.output()).findValuesAsText("RANK_ID")).containsExactly("0", "1", "2", "3");
        assertThat(plan(scene, node, "--all-nodes").answer().endedWith(0).output())
                .contains("proc-rank-0-device-0.txt", "proc-rank-3-device-1.txt");
    }

    @Test
    void anInputThatIsNotReadyIsSaidAtOnce(Scene scene) {
        ModelArtsNode node = ModelArtsNode.of(scene, "job-0");
        Result result = plan(scene, node)
                .answer()
                .endedWith(75)
                .says("does not exist", node.config().toString());
        assertThat(result.output()).isEmpty();
        Scene.write(node.table(), RankTables.initializing(TWO_NODES));
        plan(scene, node).answer().endedWith(75).says("initializing");
        Launched waiting = plan(scene, node, "--input-timeout", "1m").start().awaitMessage("initializing");
        Scene.write(node.table(), TWO_NODES);
        assertThat(waiting.await().endedWith(0).output()).contains("RANK_ID");
    }

    @Test
    void aFileThatExistsOnlyForTheCallerGivesAHint(Scene scene) {
        ModelArtsNode node = ModelArtsNode.of(scene, "job-0", TWO_NODES);
        Scene.write(scene.directory().resolve("train.sh"), "echo never");
        node.muster(scene)
                .with("/bin/sh", "train.sh")
                .run()
                .endedWith(2)
                .says("train.sh", scene.directory().toString());
    }
}
