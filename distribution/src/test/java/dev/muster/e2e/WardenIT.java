package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The shell that sends the signals, and ends the ranks when the launcher is killed: what happens to it. Its times: {@link WardenTimesIT}. */
@ExtendWith(Scenes.class)
class WardenIT {

    @Test
    @DisplayName("4.2 a warden that stands still is replaced though nobody needs it, and the other one knows all")
    void aStoppedWardenIsReplaced(Scene scene) {
        String rank = scene.script("rank", "trap '' TERM", Wardens.READY, "exec env -i sleep 600");
        Launched launcher = Wardens.job(scene, 2, "--grace", "300ms").with(rank).start();
        scene.awaitFiles("pid-0", "pid-1");
        long stopped = Wardens.only(scene);
        Processes.signal("STOP", stopped);
        launcher.awaitMessage("did not answer for 1s; another one has taken over");
        Await.until("the first one is gone", () -> !Processes.isRunning(stopped));
        Wardens.killLauncher(scene, Wardens.only(scene));
        launcher.await();
        Wardens.untilNothingIsLeft(scene);
        for (String file : new String[] {"pid-0", "pid-1"}) {
            long pid = Long.parseLong(Scene.read(scene.beside(file)).strip());
            Await.until("rank " + pid + " has ended", () -> !Processes.isRunning(pid));
        }
    }

    @Test
    @DisplayName("4.10 a launcher that is killed while its warden stands still leaves nothing")
    void theLauncherIsKilledWhileTheWardenStandsStill(Scene scene) {
        Launched launcher = Wardens.started(scene);
        long warden = Wardens.stoppedWarden(scene);
        Wardens.killLauncher(scene, warden);
        launcher.await().endedWith(70);
        Wardens.untilNothingIsLeft(scene);
    }

    @Test
    @DisplayName(
            "4.11 the warden ends when the directory is gone: a launcher that is killed between the two would leave it")
    void theWardenGoesLast(Scene scene) throws IOException {
        Path place = Files.createDirectory(scene.beside("place"));
        String rank = scene.script("rank", Wardens.READY, "until [ -e $scene/go ]; do sleep 0.01; done");
        Launched launcher =
                scene.job(1).with(rank).set("TMPDIR", place.toString()).start();
        scene.awaitFiles("pid-0");
        long warden = Wardens.only(scene);
        String output = "/proc/" + Scene.read(scene.beside("pid-0")).strip() + "/fd/1";
        // The launcher listens for two seconds to whoever may still print for a rank that has ended.
        try (OutputStream held = Files.newOutputStream(Path.of(output), StandardOpenOption.WRITE)) {
            Scene.write(scene.beside("go"), "");
            Await.until("the warden has ended", () -> !Processes.isRunning(warden));
            assertThat(place).isEmptyDirectory();
            held.flush();
        }
        launcher.await().endedWith(0);
    }

    @Test
    @DisplayName("4.9 a rank that prints much while it saves does so though the launcher was killed")
    void whoPrintsWhileItSavesIsNotDisturbed(Scene scene) {
        String save = "trap 'trap \"\" TERM; seq 100000; echo saved > $scene/saved-$me; exit' TERM";
        Launched launcher = Wardens.job(scene, 2, "--grace", "60s")
                .with(scene.script("rank", save, Wardens.READY, "sleep 600 & wait"))
                .start();
        scene.awaitFiles("pid-0", "pid-1");
        Wardens.killLauncher(scene, Wardens.only(scene));
        launcher.await();
        Wardens.untilNothingIsLeft(scene);
        scene.assertFiles("saved-0", "saved-1");
    }
}
