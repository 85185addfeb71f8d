package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The launcher as PID 1 of a container: it reaps orphans and obeys signals, which the kernel does not do for PID 1. */
@OnEveryEngine(services = false)
class ContainerIT {

    static Invocation inNewPidNamespace(Invocation job) {
        return job.behind("unshare", "--pid", "--fork", "--mount-proc");
    }

    @Test
    void theFirstProcessOfAContainerRunsTheJobAndBuriesOrphans(Scene scene) {
        Components.requireRoot();
        Components.require("unshare");
        // Orphans become children of PID 1, which must reap them.
        String rank = scene.script(
                "rank",
                "[ \"$(readlink /proc/self)\" -lt 10000 ] || exit 9",
                "for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do (sleep 0.01 &) ; done",
                "sleep 0.5",
                "grep -l '^State:.Z' /proc/[0-9]*/status > $scene/zombies-$me",
                ": > $scene/counted-$me",
                "until [ -e $scene/counted-0 -a -e $scene/counted-1 ]; do sleep 0.02; done",
                "[ $me = 1 ] && exit 1",
                "exec sleep 600");
        Result result = inNewPidNamespace(scene.job(2).with(rank)).run().endedWith(1);
        result.says(scene.engine().process(1));
        for (String file : List.of("zombies-0", "zombies-1")) {
            assertThat(Scene.read(scene.beside(file)).lines().count())
                    .as("zombies")
                    .isLessThan(5);
        }
    }

    @OnOneJdk
    void theFirstProcessOfAContainerObeysSignals(Scene scene) {
        Components.requireRoot();
        Components.require("unshare");
        String rank = scene.script(
                "rank",
                "trap 'echo saved > $scene/saved-$me; exit 0' TERM",
                ": > $scene/ready-$me",
                "sleep 600 & wait");
        Launched namespace = inNewPidNamespace(scene.job(2).with(rank)).start();
        scene.awaitFiles("ready-0", "ready-1");
        ProcessHandle first = ProcessHandle.of(namespace.pid())
                .orElseThrow()
                .children()
                .findFirst()
                .orElseThrow();
        Processes.signal("TERM", first.pid());
        namespace.await().endedWith(143).says("SIGTERM");
        scene.assertFiles("saved-0", "saved-1");
    }

    /** Each engine gets one moment: before ranks start the engine does not matter. */
    @Tag("repeated")
    @Test
    void theFirstProcessOfAContainerObeysSignalsWhileItStarts(Scene scene) {
        Components.requireRoot();
        Components.require("unshare");
        String rank = scene.script("rank", "exec sleep 600");
        int moments = Repetitions.orElse(EngineUnderTest.ALL.size());
        List<Integer> runs = IntStream.range(0, moments).boxed().toList();
        for (int run : scene.engine().cases(runs)) {
            // The kernel drops a signal to a PID 1 that neither catches nor blocks it. Outer blocks its signals and
            // reads them: SIGTERM, number 15, is the bit 4000 of SigBlk.
            String first =
                    "env --default-signal=INT,QUIT \"$@\" & until first=$(cat /proc/$!/task/$!/children) && [ \"$first\" ] && "
                            + "grep -q '^SigBlk:.*[4-7c-f]...$' /proc/${first% }/status; do sleep 0.002; done; ";
            String moment = String.format("0.%03d", 86 * run % 400);
            String kill = first + "sleep " + moment + "; kill -s TERM $first; wait $!";
            Result result = inNewPidNamespace(
                            scene.job(scene.engine().atMost(4)).with(rank))
                    .behind("/bin/sh", "-c", kill, "sh")
                    .run();
            result.wasTerminated();
            scene.assertNothingIsLeft();
        }
    }
}
