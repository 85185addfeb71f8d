package dev.muster.e2e;

import static dev.muster.e2e.RefusalsIT.PROBE;
import static dev.muster.e2e.RefusalsIT.checkAnswer;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Which platform is recognised, and which jobs are refused because one node must not pass for the whole job. */
@ExtendWith(Scenes.class)
class PlatformsIT {

    private static final Map<String, String> VOLCANO =
            Map.of("VC_TASK_INDEX", "1", "VC_WORKER_HOSTS", "j-worker-0.j,j-worker-1.j", "VC_WORKER_NUM", "2");

    @OnOneJdk
    void allPlatformsAreListedWithWhatThoseThatAreHereSay(Scene scene) {
        Result text = scene.muster("platforms").set(VOLCANO).run().endedWith(0);
        assertThat(text.output()).containsPattern("modelarts +- ").containsPattern("volcano +yes .*VC_WORKER_HOSTS");
        assertThat(text.output()).contains("node-index: 1 (VC_TASK_INDEX)", "hosts: j-worker-0.j,j-worker-1.j");

        JsonNode json = Json.parse(scene.muster("platforms", "--format", "json")
                .set(VOLCANO)
                .run()
                .endedWith(0)
                .output());
        JsonNode taken = only(json, "taken");
        assertThat(taken.path("name").asText()).isEqualTo("volcano");
        assertThat(taken.path("says").path("nodes").asText()).isEqualTo("2 (VC_WORKER_HOSTS)");
    }

    /** The list names a platform with wrong variables, and still shows the others. */
    @Test
    void aWrongVariableIsShownWhereItBelongs(Scene scene) {
        Result result = scene.muster("platforms")
                .set(VOLCANO)
                .set("VC_TASK_INDEX", "$(touch x)\n")
                .answer()
                .endedWith(0);
        assertThat(result.output()).contains("refused: VC_TASK_INDEX=").doesNotContain("$(touch x)\n");
    }

    @Test
    void aPartOfAJobIsNeverTakenForTheWhole(Scene scene) {
        Components.require("mpirun");
        for (String engine : List.of("ascend", "mpi", "pytorch-gpu", "tensorflow-ps")) {
            Invocation job = scene.muster("--engine", engine, "--", PROBE).set("PBS_NUM_NODES", "3");
            checkAnswer(scene, job, 78, List.of("PBS_NUM_NODES=3", "--nodes", "--platform none"));
        }
    }

    @Test
    void whoeverMeansThisNodeAloneSaysSo(Scene scene) {
        for (List<String> words : List.of(List.of("--platform", "none"), List.of("--nodes", "1"))) {
            scene.muster("--engine", "pytorch-gpu")
                    .with(words.toArray(String[]::new))
                    .with("--", "/bin/true")
                    .set("PBS_NUM_NODES", "3")
                    .run()
                    .endedWith(0);
        }
    }

    /** The output for people and for programs names the platform's sign, and other platforms of which there are signs. */
    @Test
    void everyReportSaysWhyThePlatformWasTaken(Scene scene) {
        Invocation job = scene.muster("--engine", "pytorch-gpu", "--nodes", "1")
                .with("--job-id", scene.jobId(), "--", "/bin/true")
                .set(VOLCANO)
                .set("DLWS_JOB_ID", "apulis-job");
        job.run().endedWith(0).says("platform apulis (set: DLWS_JOB_ID; also volcano (set: VC_TASK_INDEX");
        JsonNode result = Json.parse(Scene.read(scene.resultFile()));
        assertThat(result.path("platform").asText()).isEqualTo("apulis");
        assertThat(result.path("platformReason").asText()).contains("DLWS_JOB_ID", "also volcano");
    }

    @Test
    void anUnknownPlatformIsRefusedWithTheNearest(Scene scene) {
        checkAnswer(
                scene,
                scene.muster("--engine", "ascend", "--platform", "volcanoe", "--", PROBE),
                64,
                List.of("volcanoe", "volcano", "modelarts"));
        checkAnswer(
                scene,
                scene.muster("simulate", "--engine", "ascend", "--platform", "volcano", "--", PROBE),
                64,
                List.of("volcano", "cannot be simulated", "modelarts"));
    }

    @Test
    void aBareServerFindsItselfInATableByItsIndex(Scene scene) {
        Scene.write(
                scene.beside("table.json"),
                RankTables.templateOne(
                        RankTables.server("192.168.0.25", "0 10.0.0.1"),
                        RankTables.server("192.168.0.26", "0 10.0.0.2")));
        String table = scene.beside("table.json").toString();
        checkAnswer(
                scene,
                scene.muster("--engine", "ascend", "--rank-table", table, "--", PROBE),
                65,
                List.of("several servers", "--node-index"));
        String plan = scene.muster("plan", "--engine", "ascend", "--rank-table", table)
                .with("--nodes", "2", "--node-index", "1", "--", "/bin/true")
                .answer()
                .endedWith(0)
                .output();
        assertThat(plan).contains("node 1 of 2", "rank-1");
    }

    private static JsonNode only(JsonNode document, String flag) {
        JsonNode found = null;
        for (JsonNode platform : document.path("platforms")) {
            if (platform.path(flag).asBoolean()) {
                assertThat(found).as("a second one that is " + flag).isNull();
                found = platform;
            }
        }
        assertThat(found).as("none is " + flag).isNotNull();
        return found;
    }
}
