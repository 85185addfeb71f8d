package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Finds the shell beside a launcher that ends the ranks in its place. */
final class Wardens {

    static final String READY = "echo $$ > $scene/pid-$me.part; mv $scene/pid-$me.part $scene/pid-$me";

    private Wardens() {}

    /** A job that keeps what is its own in the scene: a job of the same name would wait for the end of one whose launcher was killed. */
    static Invocation job(Scene scene, int processes, String... options) {
        return scene.job(processes, options).set("TMPDIR", scene.directory().toString());
    }

    /** One with two ranks that obey, which are there. */
    static Launched started(Scene scene) {
        Launched launcher = job(scene, 2, "--grace", "300ms")
                .with(scene.script("rank", READY, "exec sleep 600"))
                .start();
        scene.awaitFiles("pid-0", "pid-1");
        return launcher.awaitMessage("started");
    }

    /** What it runs, as the jar's class has it. */
    static String script() {
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {Product.jar().toUri().toURL()}, null)) {
            Method text =
                    loader.loadClass("dev.muster.runtime.process.WardenScript").getDeclaredMethod("text");
            text.setAccessible(true);
            return (String) text.invoke(null);
        } catch (IOException | ReflectiveOperationException failed) {
            throw new AssertionError("the jar does not tell the script", failed);
        }
    }

    /** The only one, which stands still from now on. */
    static long stoppedWarden(Scene scene) {
        long warden = only(scene);
        Processes.signal("STOP", warden);
        return warden;
    }

    /** How long the scene's processes took to end. */
    static Duration untilNothingIsLeft(Scene scene) {
        long begin = System.nanoTime();
        Await.until(
                "nothing is left; there are " + Processes.tagged(scene.tag()),
                () -> Processes.tagged(scene.tag()).isEmpty());
        return Duration.ofNanos(System.nanoTime() - begin);
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
