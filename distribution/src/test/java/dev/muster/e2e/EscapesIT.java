package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Processes that escape from their rank, and strangers that only look so. */
@ExtendWith(Scenes.class)
class EscapesIT {

    private static final String READY = "echo $$ > $scene/pid-$me.part; mv $scene/pid-$me.part $scene/pid-$me";
    /** Notes its pid and stays. A caller starts it with an empty environment: no variable marks it as a process of the job or test. */
    private static final String STAYING = "sh -c 'echo $$ > $0.part; mv $0.part $0; exec sleep 600'";

    /** Notes its pid and ends its first thread, as pthread_exit does. The other thread blocks SIGTERM. */
    private static final String HEADLESS = """
            import ctypes, os, platform, signal, sys, threading, time
            def go_on():
                with open(sys.argv[1] + ".part", "w") as file:
                    file.write(str(os.getpid()))
                os.rename(sys.argv[1] + ".part", sys.argv[1])
                while True:
                    time.sleep(600)
            signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM])
            threading.Thread(target=go_on).start()
            exit_of_a_thread = 60 if platform.machine() == "x86_64" else 93
            ctypes.CDLL(None).syscall(exit_of_a_thread, 0)
            """;

    private static long pid(Scene scene, String file) {
        return Long.parseLong(Scene.read(scene.beside(file)).strip());
    }

    private static void assertEnded(long pid) {
        Await.until("process " + pid + " has ended", () -> !Processes.isRunning(pid));
    }

    @OnOneJdk
    @DisplayName("a process with a session of its own and an empty environment ends with the job")
    void whatIsSeenAsADescendantEnds(Scene scene) {
        String rank = scene.script(
                "rank",
                "env -i setsid " + STAYING + " $scene/escaped-$me &",
                "until [ -e $scene/escaped-$me ]; do sleep 0.01; done",
                READY,
                "exec sleep 600");
        Launched launcher = scene.job(2).with(rank).start();
        scene.awaitFiles("pid-0", "pid-1");
        launcher.signal("TERM").await().endedWith(143).says("left process " + pid(scene, "escaped-0"));
        assertEnded(pid(scene, "escaped-0"));
        assertEnded(pid(scene, "escaped-1"));
    }

    @Test
    @DisplayName("an orphan whose parent ended before the rank ends with the job, also when the JVM was killed")
    void whatWasSeenOnceEnds(Scene scene) {
        String[] rank = {
            "(env -i setsid " + STAYING + " $scene/escaped-$me & exec sleep 0.1)",
            READY,
            "until [ -e $scene/go ]; do sleep 0.01; done"
        };
        Launched launcher = scene.job(2).with(scene.script("rank", rank)).start();
        scene.awaitFiles("pid-0", "pid-1");
        Scene.write(scene.beside("go"), "");
        launcher.await().endedWith(0);
        assertEnded(pid(scene, "escaped-0"));
        assertEnded(pid(scene, "escaped-1"));

        Stream.of("go", "pid-0", "pid-1", "escaped-0", "escaped-1")
                .forEach(file -> scene.beside(file).toFile().delete());
        launcher = scene.job(2).with(scene.script("rank", rank)).start();
        scene.awaitFiles("pid-0", "pid-1");
        launcher.killJvm();
        assertEnded(pid(scene, "escaped-0"));
        assertEnded(pid(scene, "escaped-1"));
        launcher.await();
    }

    @Test
    @DisplayName("a double fork into a session of its own ends with the job")
    void whatIsMarkedEnds(Scene scene) {
        String rank = scene.script(
                "rank",
                "(env -i setsid " + STAYING + " $scene/escaped-$me &)",
                "until [ -e $scene/escaped-$me ]; do sleep 0.01; done");
        scene.job(2).with(rank).run().endedWith(0).says("left process " + pid(scene, "escaped-0"));
        assertEnded(pid(scene, "escaped-0"));
        assertEnded(pid(scene, "escaped-1"));
    }

    @Test
    @DisplayName("a process whose first thread has ended ends with the job, also when the JVM was killed")
    void whoHasLostItsFirstThreadEnds(Scene scene) {
        Components.require("python3");
        Scene.write(scene.beside("headless.py"), HEADLESS);
        String start = "python3 $scene/headless.py $scene/escaped-$me";
        String rank = scene.script(
                "rank",
                "[ $me = 0 ] || exec " + start,
                "setsid " + start + " & until [ -e $scene/escaped-$me ]; do sleep 0.01; done",
                "exec sleep 600");
        for (boolean isKilled : new boolean[] {false, true}) {
            Launched launcher = scene.job(2, "--grace", "500ms").with(rank).start();
            for (String file : new String[] {"escaped-0", "escaped-1"}) {
                scene.awaitFiles(file);
                Await.until(file + " has no first thread", () -> Processes.isHeadless(pid(scene, file)));
            }
            if (isKilled) {
                launcher.killJvm();
            } else {
                launcher.signal("TERM");
            }
            launcher.await().endedWith(isKilled ? 70 : 143);
            for (String file : new String[] {"escaped-0", "escaped-1"}) {
                assertThat(Processes.isRunning(pid(scene, file))).isFalse();
                assertThat(scene.beside(file).toFile().delete()).isTrue();
            }
        }
    }

    @Test
    @DisplayName("an orphan that was started beside the job, after the first rank, is left alone")
    void whatWasStartedBesideTheJobStays(Scene scene) {
        Components.requireRoot();
        Components.require("unshare");
        String rank = scene.script("rank", READY, "until [ -e $scene/go ]; do sleep 0.01; done");
        String start = scene.script(
                "start",
                "\"$@\" & launcher=$!",
                "until [ -e $scene/pid-0 ] && [ -e $scene/pid-1 ]; do sleep 0.01; done",
                "(env -i setsid " + STAYING + " $scene/beside > /dev/null 2>&1 &)",
                "until [ -e $scene/beside ]; do sleep 0.01; done",
                ": > $scene/go",
                "wait $launcher && read -r pid < $scene/beside && kill -s 0 $pid && : > $scene/lives");
        scene.job(2)
                .with(rank)
                .behind("unshare", "--pid", "--fork", "--mount-proc", "--kill-child", "/bin/sh", start)
                .run()
                .endedWith(0);
        scene.assertFiles("lives");
    }

    @Test
    @DisplayName("a stranger that holds a rank's output open is reported, and left alone")
    void whoHoldsTheOutputIsLeftAlone(Scene scene) {
        String rank = scene.script("rank", READY, "until [ -e $scene/go ]; do sleep 0.01; done");
        Launched launcher = scene.job(1).with(rank).start();
        scene.awaitFiles("pid-0");
        Launched holder = scene.command(
                        "/bin/sh",
                        "-c",
                        "exec 3> /proc/" + pid(scene, "pid-0") + "/fd/1; : > \"$0\"; exec sleep 600",
                        scene.beside("holds").toString())
                .start();
        scene.awaitFiles("holds");
        Scene.write(scene.beside("go"), "");
        Result result = launcher.await().endedWith(0);
        result.says("held open by a process that the job has not started");
        assertThat(holder.isRunning()).isTrue();
        holder.signal("KILL").await();
    }
}
