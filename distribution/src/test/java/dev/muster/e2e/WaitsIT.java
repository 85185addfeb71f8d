package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The messages while the launcher waits and no rank runs. */
@ExtendWith(Scenes.class)
class WaitsIT {

    private static final String TABLE = RankTables.templateTwo(RankTables.pod("job-0", "192.168.0.25", "0 10.0.0.1"));

    @DisplayName("without a terminal: a line at every change says what, since when and why not yet")
    @Test
    void linesComeEveryWhile(Scene scene) {
        ModelArtsNode node = ModelArtsNode.of(scene, "job-0", "{\"status\": \"initializing\"}");
        Launched launcher = node.muster(scene).with("/bin/true").start();
        launcher.awaitMessage("; waiting up to 30m");
        Scene.write(node.table(), "");
        launcher.awaitMessage("is empty");
        Scene.write(node.table(), TABLE);
        Result result = launcher.await().endedWith(0).doesNotSay("\r");
        assertThat(result.messages())
                .containsPattern("muster: still waiting after \\S+ of 30m: rank table " + node.table()
                        + " is empty, changed at 20\\S+Z")
                .contains(" is ready after ");
    }

    @DisplayName("on a terminal: SIGINT ends the wait")
    @Test
    void anInterruptEndsTheWait(Scene scene) {
        ModelArtsNode node = ModelArtsNode.of(scene, "job-0");
        Invocation job = node.muster(scene).with("/bin/true");
        Launched waiting = Terminal.around(scene, job, "\u0003", "interrupt").start();
        waiting.awaitOutput("; waiting up to 30m");
        Scene.write(scene.beside("interrupt"), "");
        Result stopped = waiting.await();
        assertThat(stopped.exitCode()).as(stopped.toString()).isEqualTo(130);
        assertThat(stopped.output()).contains("muster: exit 130");
    }
}
