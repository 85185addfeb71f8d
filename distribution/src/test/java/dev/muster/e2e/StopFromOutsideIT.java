package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A platform signals processes of the job, but not the launcher, as MindX DL's {@code pre_stop.sh} does. */
@OnEveryEngine
class StopFromOutsideIT {

    private static final int PROCESSES = 3;
    /** The rank without a handler for SIGTERM. The others have one. */
    private static final int VICTIM = 1;

    private static final String NOT_OURS = "had not sent this SIGTERM";

    private static int size(Scene scene) {
        return scene.engine().atMost(PROCESSES);
    }

    /** A rank that saves for a second after SIGTERM, and ends at once after a second SIGTERM. */
    private static String saver(Scene scene) {
        return scene.script(
                "rank",
                "[ $me != " + VICTIM
                        + " ] || { echo $$ > $scene/part-$me; mv $scene/part-$me $scene/pid-$me; exec sleep 600; }",
                "on_term() {",
                "  echo told >> $scene/told-$me",
                "  [ -z \"$told\" ] || { : > $scene/cut-$me; exit 9; }",
                "  told=yes",
                "}",
                "trap on_term TERM",
                "echo $$ > $scene/part-$me; mv $scene/part-$me $scene/pid-$me",
                "sleep 600 & sleeper=$!",
                "until [ \"$told\" ]; do wait $sleeper; done",
                "kill $sleeper 2> /dev/null",
                "for n in 1 2 3 4 5 6 7 8 9 10; do sleep 0.1; done",
                ": > $scene/saved-$me");
    }

    private static Launched start(Scene scene, String... options) {
        Launched launcher = scene.job(size(scene), options).with(saver(scene)).start();
        scene.awaitFiles(Scene.each("pid-", size(scene)));
        return launcher;
    }

    private static void terminate(Scene scene, int... processes) {
        List<String> pids = new ArrayList<>();
        for (int process : processes) {
            pids.add(Scene.read(scene.beside("pid-" + process)).strip());
        }
        scene.command("/bin/sh", "-c", "kill -s TERM \"$@\"", "sh")
                .with(pids.toArray(String[]::new))
                .run()
                .endedWith(0);
    }

    private static void assertVerdictNamesTheVictim(Scene scene, Result result) {
        assertThat(result.messages())
                .containsPattern("exit 143: " + scene.engine().failing(VICTIM) + " ");
    }

    private static void assertAllHaveSaved(Scene scene) {
        for (int process = 0; process < size(scene); process++) {
            if (process != VICTIM) {
                assertThat(scene.beside("told-" + process)).hasContent("told");
                assertThat(scene.beside("saved-" + process)).exists();
            }
        }
        scene.assertNothingIsLeft();
    }

    @OnOneJdk
    void ranksThatAllGetSigtermSaveWhatTheyHave(Scene scene) {
        Launched launcher = start(scene);
        int[] all = new int[size(scene)];
        for (int process = 0; process < all.length; process++) {
            all[process] = process;
        }
        terminate(scene, all);
        Result result =
                launcher.await().endedWith(143).says("SIGTERM", NOT_OURS).doesNotSay("failed too", "SIGKILL");
        assertVerdictNamesTheVictim(scene, result);
        assertAllHaveSaved(scene);
    }

    @OnOneJdk
    void ranksThatGotNothingAreToldOnceAndHaveTheWholeGrace(Scene scene) {
        Launched launcher = start(scene);
        terminate(scene, VICTIM);
        launcher.await().endedWith(143).says(NOT_OURS, "stopping ").doesNotSay("SIGKILL");
        assertAllHaveSaved(scene);
        JsonNode result = Json.parse(Scene.read(scene.resultFile()));
        assertThat(result.get("exitCode").asInt()).isEqualTo(143);
        assertThat(result.get("stopped").asBoolean()).isTrue();
        assertThat(result.get("reason").asText())
                .containsPattern(scene.engine().failing(VICTIM))
                .contains("SIGTERM", NOT_OURS);
    }

    @Test
    void theLauncherMayBeToldToStopTooMeanwhile(Scene scene) {
        Launched launcher = start(scene);
        terminate(scene, VICTIM);
        launcher.awaitMessage(NOT_OURS);
        launcher.signal("TERM");
        Result result = launcher.await().endedWith(143).says("received SIGTERM; already stopping");
        assertVerdictNamesTheVictim(scene, result);
        assertAllHaveSaved(scene);
    }

    @Test
    void aRankThatFailsMeanwhileIsNamedAndChangesNothing(Scene scene) {
        Assumptions.assumeTrue(scene.engine().startsProcessesItself(), "mpirun supervises its ranks itself");
        String rank = scene.script(
                "rank",
                "if [ $me = 1 ]; then",
                "  until [ -e $scene/ready-0 ]; do sleep 0.02; done",
                "  echo $$ > $scene/first.part; mv $scene/first.part $scene/first",
                "  kill -s TERM $$",
                "fi",
                ": > $scene/ready-0",
                "until [ -e $scene/first ]; do sleep 0.01; done",
                "first=/proc/$(cat $scene/first)/stat",
                "until ! grep -qv ') Z ' $first 2> /dev/null; do :; done",
                "sleep 0.1",
                "exit 4");
        scene.job(2)
                .with(rank)
                .run()
                .endedWith(143)
                .says(
                        scene.engine().process(0) + " ",
                        "failed too: exit code 4",
                        "exit 143: " + scene.engine().process(1) + " ");
    }

    @Tag("repeated")
    @OnceForAll
    void theCodeIsWhatModelArtsGivesForSuchARankWhereThatIsWanted(Scene scene) {
        Launched launcher = start(scene, "--exit-codes", "modelarts");
        terminate(scene, VICTIM);
        launcher.await().endedWith(241).says(NOT_OURS);
        assertAllHaveSaved(scene);
    }
}
