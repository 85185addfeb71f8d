package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Behaviour of scenes on which tests rely, and the message of a failed test. */
@ExtendWith(Scenes.class)
class SceneIT {

    @Test
    void theAccountTellsWhatWasStartedHowItEndedAndWhatItPrinted(Scene scene) {
        scene.command("/bin/sh", "-c", "echo spoken; exit 3").run();
        Launched waiting = scene.command("/bin/sh", "-c", "echo shouted >&2; exec sleep 600")
                .start()
                .awaitMessage("shouted");
        assertThat(scene.account())
                .contains("echo spoken; exit 3 (pid ", ", ended with 3)", "\nspoken\n", "\nshouted\n")
                .contains("(pid " + waiting.pid() + ", runs)", "\n" + waiting.pid() + " (");
        waiting.signal("KILL").await();
    }
}
