package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A platform of a third party in a plugin's jar. */
@ExtendWith(Scenes.class)
class PluginPlatformsIT {

    private static final String LOADED = "the cloud's class is loaded";
    private static final String[] JOB = {"--engine", "pytorch-gpu", "--", "true"};

    private static PluginHome cloud(Scene scene) {
        return new PluginHome(scene).platform("cloud/cloud.jar", "cloud", "CLOUD_HOSTS, CLOUD_JOB_*");
    }

    @Test
    void aStrangersPlatformIsFollowedWhereItsSignIsSet(Scene scene) {
        Result plan = cloud(scene)
                .muster("plan", "--format", "json")
                .with(JOB)
                .set("CLOUD_HOSTS", "a,b")
                .set("CLOUD_INDEX", "1")
                .set("SLURM_JOB_ID", "7")
                .run()
                .endedWith(0)
                .says(LOADED);
        JsonNode document = Json.parse(plan.output());
        JsonNode platform = document.path("nodes").path(0).path("platform");
        assertThat(platform.path("name").asText()).isEqualTo("cloud");
        assertThat(platform.path("reason").asText()).isEqualTo("set: CLOUD_HOSTS; also slurm (set: SLURM_JOB_ID)");
        assertThat(plan.output()).contains("CLOUD_INDEX");
    }

    @Test
    void noClassOfItIsLoadedWithoutASignOrItsName(Scene scene) {
        PluginHome home = cloud(scene);
        home.muster(JOB)
                .set("CLOUD_INDEX", "1")
                .set("CLOUD_HOSTS", "")
                .run()
                .endedWith(0)
                .doesNotSay(LOADED);
        Result list = home.muster("platforms").answer().endedWith(0).doesNotSay(LOADED);
        assertThat(list.output()).containsPattern("cloud +- +a cloud for tests \\(plugins/cloud/cloud.jar\\)");
        home.muster("--platform", "cloud").with(JOB).run().endedWith(78).says(LOADED, "CLOUD_HOSTS is not set. Set it");
        home.muster("--platform", "clout")
                .with(JOB)
                .answer()
                .endedWith(64)
                .says("is not one of auto, cloud, mpirun, modelarts", "did you mean cloud?");
    }

    @ParameterizedTest
    @CsvSource({"sign throws, oops", "read throws, oops", "sign exits, ended", "read exits, ended"})
    void whateverItsCodeDoesButAnswerIsOneSentence(String lie, String words, Scene scene) {
        Invocation job = cloud(scene).muster(JOB).set("CLOUD_HOSTS", "a,b").set("CLOUD_LIE", lie);
        (lie.endsWith("exits") ? job.run() : job.answer()).endedWith(70).says("platform cloud", "cloud.jar", words);
    }

    @Test
    void whatItsCodeDoesOnOneNodeIsToldToTheOthers(Scene scene) {
        PluginHome home = cloud(scene);
        String port = Integer.toString(Listener.free(1)[0]);
        Launched leader = node(home, port, 0).start();
        node(home, port, 1).set("CLOUD_LIE", "read throws").run().endedWith(70).says("platform cloud", "oops");
        leader.await().endedWith(70).says("node 1 (127.64.9.2)", "oops");
    }

    private static Invocation node(PluginHome home, String port, int index) {
        return home.muster("--nodes", "2", "--node-index", Integer.toString(index), "--hosts", "127.64.9.1,127.64.9.2")
                .with("--job-id", "told", "--link-port", port)
                .with("--engine", "pytorch-gpu", "--", "sleep", "600")
                .set("CLOUD_HOSTS", "127.64.9.1,127.64.9.2")
                .set("CLOUD_INDEX", Integer.toString(index));
    }

    @Test
    void aStopNeedsNoAnswerOfIt(Scene scene) {
        Launched launcher = cloud(scene)
                .muster(JOB)
                .set("CLOUD_HOSTS", "a,b")
                .set("CLOUD_LIE", "read hangs")
                .start();
        launcher.awaitMessage(LOADED);
        launcher.signal("TERM").await().endedWith(143);
    }

    @Test
    void twoThatClaimTheSamePlaceAreNamed(Scene scene) {
        PluginHome home = cloud(scene).platform("second/mist.jar", "mist", "CLOUD_HOSTS");
        home.muster(JOB)
                .set("CLOUD_HOSTS", "a,b")
                .answer()
                .endedWith(70)
                .says("platform mist (mist.jar) is broken: it declares platform mist, and brings no such platform");
        home.platform("second/mist.jar", "cloud", "CLOUD_HOSTS")
                .muster(JOB)
                .set("CLOUD_HOSTS", "a,b")
                .answer()
                .endedWith(78)
                .says("several platforms say that this is their place", "cloud.jar", "mist.jar", "--platform NAME");
        home.muster("--platform", "cloud")
                .with(JOB)
                .set("CLOUD_HOSTS", "a,b")
                .answer()
                .endedWith(69)
                .says("platform \"cloud\" exists more than once", "cloud.jar", "mist.jar");
    }

    @Test
    void aNameThatIsTakenIsTold(Scene scene) {
        PluginHome home = new PluginHome(scene);
        for (String name : List.of("none", "auto", "slurm")) {
            home.platform("cloud/cloud.jar", name, "CLOUD_HOSTS");
            assertThat(home.muster("platforms").answer().endedWith(0).output())
                    .contains("Cannot be used:", "plugins/cloud/cloud.jar: the name " + name + " is taken");
        }
        home.muster(JOB).run().endedWith(0);
    }

    @Test
    void aJarThatCannotBeUsedIsToldWhereNoPlatformIsRecognised(Scene scene) {
        PluginHome home = new PluginHome(scene).platform("cloud/cloud.jar", "no name", "CLOUD_HOSTS");
        String problem = "plugins/cloud/cloud.jar: Muster-Platform in its manifest is not \"ID; summary\"";
        home.muster(JOB).set("CLOUD_HOSTS", "a,b").run().endedWith(0).says(problem);
        assertThat(home.muster("platforms").answer().endedWith(0).output()).contains("Cannot be used:", problem);
    }
}
