package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

/** A job whose ranks save when they get SIGTERM, and the check that they have saved. */
final class SavingJob {

    private static final String[] READY = {"ready-0", "ready-1"};

    /** A user id that no other test uses. */
    static final int STRANGER = 47110;

    /** Ranks that need a moment to save what they have. */
    static String saver(Scene scene) {
        return saver(scene, "rank");
    }

    /** The same command in a file of another name. */
    static String saver(Scene scene, String name) {
        return scene.script(
                name,
                "trap 'sleep 0.2; : > $scene/saved-$me; exit 0' TERM",
                ": > $scene/ready-$me",
                "sleep 600 & wait");
    }

    static String stubborn(Scene scene) {
        return scene.script("rank", "trap '' TERM", ": > $scene/ready-$me", "exec sleep 600");
    }

    static Invocation lying(Scene scene, String lie) {
        return scene.apart(scene.command(LyingEngine.installed(scene), "--engine", "lying", "--platform", "none"))
                .with("--job-id", scene.jobId(), "--grace", "5s", "--")
                .set("E2E_LIE", lie);
    }

    static void forget(Scene scene) {
        for (String file : new String[] {"ready-0", "ready-1", "saved-0", "saved-1"}) {
            assertThat(scene.beside(file).toFile().delete()).isTrue();
        }
    }

    static Launched started(Scene scene, Invocation job) {
        Launched launcher = job.start();
        scene.awaitFiles(READY);
        return launcher;
    }

    static void assertSaved(Scene scene) {
        scene.assertNothingIsLeft();
        scene.assertFiles("saved-0", "saved-1");
    }

    static String[] asStranger(int uid, String... more) {
        List<String> words = new ArrayList<>(
                List.of("setpriv", "--reuid", Integer.toString(uid), "--regid", "47110", "--clear-groups"));
        words.addAll(List.of(more));
        return words.toArray(String[]::new);
    }

    private SavingJob() {}
}
