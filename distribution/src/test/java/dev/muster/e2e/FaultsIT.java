package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Faults during the long life of a launcher: limits, a suspended JVM, a full disk, long lines. */
@OnEveryEngine(services = false)
class FaultsIT {

    private static final int HALF_A_PIPE = 32 * 1024;

    private static final String READY = "echo $$ > $scene/pid-$me.part; mv $scene/pid-$me.part $scene/pid-$me";

    @Test
    void signalsAreObeyedAtTheLimitOfProcesses(Scene scene) throws IOException {
        try (PidsGroup group = PidsGroup.make(scene)) {
            String rank = scene.script(
                    "rank", "trap 'echo saved > $scene/saved-$me; exit 0' TERM", READY, "sleep 600 & wait");
            Launched launcher = group.around(scene.job(2).with(rank)).start();
            scene.awaitFiles("pid-0", "pid-1");
            launcher.awaitMessage("started");
            // The JVM starts a thread for each signal.
            group.leaveRoomFor(1);
            launcher.signal("TERM").await().endedWith(143);
            scene.assertNothingIsLeft();
            assertThat(scene.beside("saved-0")).exists();
            assertThat(scene.beside("saved-1")).exists();
        }
    }

    @Test
    void aLauncherThatIsStoppedForAWhileLosesNothing(Scene scene) {
        String rank = scene.script(
                "rank", READY, "until [ -e $scene/go ]; do sleep 0.01; done", "seq 300000", "finish", "echo end");
        int processes = scene.engine().withOwnLogs(2);
        Launched launcher = scene.job(processes).with(rank).start();
        scene.awaitFiles(Scene.each("pid-", processes));
        long jvm = launcher.jvm();
        Processes.signal("STOP", jvm);
        Scene.write(scene.beside("go"), "");
        long first = Long.parseLong(Scene.read(scene.beside("pid-0")).strip());
        // The suspended JVM reads no pipe. A rank under mpirun may end all the same: mpirun keeps what it cannot write.
        // It stops reading only when it has begun a write for which the pipe has no room.
        Await.until(
                "a rank waits for the launcher, or has ended",
                () -> !Processes.isRunning(first)
                        || Processes.childrenOf(first).stream()
                                .anyMatch(child -> Processes.written(child) > HALF_A_PIPE));
        Processes.signal("CONT", jvm);
        launcher.await().endedWith(0);
        for (int index = 0; index < processes; index++) {
            assertThat(Scene.read(scene.log(index))).hasLineCount(300_001).endsWith("300000\nend\n");
        }
    }

    @Tag("repeated")
    @OnceForAll
    void aFullDiskChangesNoExitCode(Scene scene) throws IOException {
        Components.requireRoot();
        Components.require("unshare", "mount");
        Path small = Files.createDirectory(scene.beside("small"));
        String rank = scene.script("rank", "seq 400000", "exit 6");
        String mount = "mount -t tmpfs -o size=1m none " + small;
        Result result = scene.job(1, "--log-dir", small.toString(), "--prefix", "none")
                .with(rank)
                .after(mount)
                .behind("unshare", "-m", "--propagation", "private")
                .run()
                .endedWith(6);
        result.says(scene.engine().process(0), small.toString(), "bytes");
        assertThat(scene.engine().printed(result.output()))
                .endsWith("399999\n400000\n")
                .hasLineCount(400_000);
    }

    @Tag("repeated")
    @OnceForAll
    void aLineOfTenMegabytesIsWholeInTheLog(Scene scene) throws IOException {
        scene.job(1).with("head", "-c", "10000000", "/dev/zero").run().endedWith(0);
        assertThat(Files.size(scene.log(0))).isEqualTo(10_000_000);
    }

    @Test
    void whatIsNotEndedIsShownAllTheSameAlsoAProgressBarWhileItMoves(Scene scene) {
        String rank = scene.script(
                "rank",
                "printf 'continue? '",
                "until [ -e $scene/go ]; do sleep 0.02; done",
                "echo yes",
                "printf ' 10%%\\r 20%%\\r'",
                "until [ -e $scene/on ]; do sleep 0.02; done",
                "printf '100%%\\n'");
        Launched launcher = scene.job(1).with(rank).start().awaitOutput("continue? ");
        Scene.write(scene.beside("go"), "");
        launcher.awaitOutput("20%");
        Scene.write(scene.beside("on"), "");
        Result result = launcher.await().endedWith(0);
        assertThat(result.output()).contains("100%");
        assertThat(result.output().lines().findFirst().orElseThrow()).endsWith("continue? yes");
        assertThat(Scene.read(scene.log(0))).isEqualTo("continue? yes\n 10%\r 20%\r100%\n");
    }
}
