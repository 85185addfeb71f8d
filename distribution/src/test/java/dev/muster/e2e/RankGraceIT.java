package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * However a job ends, every rank gets SIGTERM once, at once, and has the grace to save. In a stop this holds under mpirun, too. mpirun
 * alone would kill the slowest rank as soon as another one has ended.
 */
@OnEveryEngine
class RankGraceIT {

    private static final int PROCESSES = 3;
    /** The rank that saves nothing. */
    private static final int VICTIM = 1;
    /** Rank 0 needs 0.5 s to save. The others need no time. */
    private static final String SAVER = """
            import os, signal, sys, time
            fields = open('/proc/self/stat').read().rsplit(')', 1)[1].split()
            start, end = int(fields[47]), int(fields[48])
            with open('/proc/self/mem', 'r+b', 0) as memory:  # as setproctitle does it
                memory.seek(start)
                memory.write(b'x' * (end - start))
            scene, rank = sys.argv[1:]
            told = []
            def on_term(signal, frame):
                told.append(signal)
                with open(f'{scene}/told-{rank}', 'a') as file:
                    file.write('told\\n')
            signal.signal(signal.SIGTERM, on_term)
            time.sleep(0.3)  # whoever is younger than 0.1 s may be told twice
            open(f'{scene}/ready-{rank}', 'w').close()
            while not told:
                time.sleep(0.02)
            until = time.monotonic() + (0.5 if rank == '0' else 0)
            while time.monotonic() < until:
                time.sleep(0.02)
            open(f'{scene}/saved-{rank}', 'w').close()
            """;

    @OnOneJdk
    @DisplayName("when a rank has failed, the others get SIGTERM once, and have the grace")
    void afterAFailure(Scene scene) {
        Assumptions.assumeTrue(scene.engine().startsProcessesItself(), "mpirun ends its ranks itself");
        Launched launcher = start(scene, "until [ -e $scene/go ]; do sleep 0.02; done; exit 3");
        Scene.write(scene.beside("go"), "");
        launcher.await().endedWith(3).says("exit 3");
        assertSaved(scene);
    }

    @Test
    @DisplayName("in a stop a rank without a handler does not shorten the grace of the others")
    void inAStop(Scene scene) {
        start(scene, "exec sleep 600").signal("TERM").await().endedWith(143);
        assertSaved(scene);
    }

    @Test
    @DisplayName("when the launcher is killed, a rank without a handler does not shorten the grace of the others")
    void afterTheLaunchersDeath(Scene scene) {
        Launched launcher = start(scene, "exec sleep 600");
        launcher.killJvm();
        launcher.await().endedWith(70);
        assertSaved(scene);
    }

    private static int size(Scene scene) {
        return scene.engine().atMost(PROCESSES);
    }

    private static Launched start(Scene scene, String victim) {
        Components.require("python3");
        Scene.write(scene.beside("saver.py"), SAVER);
        String rank = scene.script(
                "rank",
                "[ $me != " + VICTIM + " ] || { : > $scene/ready-$me; " + victim + "; }",
                "exec python3 $scene/saver.py $scene $me");
        Launched launcher = scene.job(size(scene), "--grace", "10m").with(rank).start();
        scene.awaitFiles(Scene.each("ready-", size(scene)));
        return launcher;
    }

    private static void assertSaved(Scene scene) {
        IntStream.range(0, size(scene)).filter(number -> number != VICTIM).forEach(number -> {
            assertThat(scene.beside("told-" + number)).hasContent("told");
            assertThat(scene.beside("saved-" + number)).exists();
        });
        Await.until("nothing is left", () -> Processes.tagged(scene.tag()).isEmpty());
    }
}
