package dev.muster.e2e;

import static dev.muster.e2e.RefusalsIT.PROBE;
import static dev.muster.e2e.RefusalsIT.checkAnswer;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Refusals because of wrong variables and files of ModelArts. */
@ExtendWith(Scenes.class)
class PlatformRefusalsIT {

    @Test
    void theCommandIsCheckedBeforeTheTableIsAwaited(Scene scene) {
        ModelArtsNode node = ModelArtsNode.of(scene, "job-0");
        checkAnswer(scene, node.muster(scene).with("no-such-program"), 127, List.of("no-such-program"));
        checkAnswer(scene, node.muster(scene).with("/etc/passwd"), 126, List.of("/etc/passwd"));
    }

    @Test
    void aMissingNameOfTheJobIsTold(Scene scene) {
        Invocation launcher = scene.muster("--engine", "ascend", "--", PROBE)
                .set("MA_MOUNT_PATH", scene.beside("mount").toString());
        checkAnswer(scene, launcher, 78, List.of("MA_VJ_NAME", "--job-id"));
        checkAnswer(scene, launcher.set("MA_VJ_NAME", ""), 78, List.of("MA_VJ_NAME", "--job-id"));
    }

    @Test
    void aPodThatDoesNotKnowItsNameIsTold(Scene scene) {
        ModelArtsNode node = ModelArtsNode.of(
                scene, "job-0", RankTables.templateTwo(RankTables.pod("job-0", "192.168.0.25", "0 10.0.0.1")));
        Invocation launcher = node.muster(scene).with(PROBE).unset("MA_CURRENT_INSTANCE_NAME");
        checkAnswer(scene, launcher, 78, List.of("MA_CURRENT_INSTANCE_NAME", "job-0"));
    }

    @Test
    void wrongVariablesAreRefused(Scene scene) {
        ModelArtsNode node = ModelArtsNode.of(scene, "job-0", RankTables.oneServer(1));
        checkAnswer(
                scene,
                node.muster(scene).with(PROBE).set("MA_VJ_NAME", "a;touch x"),
                78,
                List.of("MA_VJ_NAME", "a;touch x"));
        checkAnswer(
                scene, node.muster(scene).with(PROBE).set("MA_NUM_HOSTS", "abc"), 78, List.of("MA_NUM_HOSTS", "abc"));
        Invocation outside =
                node.muster(scene).with(PROBE).set("MA_NUM_HOSTS", "2").set("MA_TASK_INDEX", "2");
        checkAnswer(scene, outside, 78, List.of("MA_TASK_INDEX", "MA_NUM_HOSTS"));
    }
}
