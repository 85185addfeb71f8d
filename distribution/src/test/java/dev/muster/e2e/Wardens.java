package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/** Finds the shell beside a launcher that ends the ranks in its place. */
final class Wardens {

    private Wardens() {}

    /** A job that keeps what is its own in the scene: a job of the same name would wait for the end of one whose launcher was killed. */
    static Invocation job(Scene scene, int processes, String... options) {
        return scene.job(processes, options).set("TMPDIR", scene.directory().toString());
    }

    /** The only one of a scene's launchers, as soon as there is one. */
    static long only(Scene scene) {
        return other(scene, 0);
    }

    /** One that is not this one. */
    static long other(Scene scene, long known) {
        AtomicLong found = new AtomicLong();
        Await.until(
                "there is another warden than " + known + " among " + Processes.tagged(scene.tag()),
                () -> find(scene, known, found));
        return found.get();
    }

    /** Kills the JVM that has started it, which is a process of the scene: an orphan's parent is anybody's. */
    static void killLauncher(Scene scene, long warden) {
        long launcher = ProcessHandle.of(warden)
                .flatMap(ProcessHandle::parent)
                .orElseThrow()
                .pid();
        assertThat(Processes.tagged(scene.tag())).anyMatch(process -> process.startsWith(launcher + " "));
        Processes.signal("KILL", launcher);
    }

    private static boolean find(Scene scene, long known, AtomicLong found) {
        for (String process : Processes.tagged(scene.tag())) {
            long pid = Long.parseLong(process.substring(0, process.indexOf(' ')));
            if (pid != known && environment(pid).contains("\0MUSTER_WARDEN=")) {
                found.set(pid);
                return true;
            }
        }
        return false;
    }

    private static String environment(long pid) {
        try {
            return "\0"
                    + Files.readString(Path.of("/proc", Long.toString(pid), "environ"), StandardCharsets.ISO_8859_1);
        } catch (IOException ended) {
            return "";
        }
    }
}
