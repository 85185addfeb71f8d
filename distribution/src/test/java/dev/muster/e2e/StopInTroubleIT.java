package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code muster stop} beside another one, of launchers in an unusual state, and of launchers without ranks. */
@ExtendWith(Scenes.class)
class StopInTroubleIT {

    @BeforeEach
    void requireNamespaces() {
        Components.requireRoot();
        Components.require("unshare", "nsenter");
    }

    @DisplayName("of two stops at the same moment the longer grace holds, whichever comes first; both end with 0")
    @Test
    void theLongerOfTwoHolds(Scene scene) {
        Launched container =
                StopCommandIT.ready(scene, scene.job(2, "--grace", "100ms").with(StopCommandIT.saver(scene, "6.5")));
        Launched shorter =
                StopCommandIT.hook(scene, container, "stop", "--grace", "6s").start();
        Launched longer =
                StopCommandIT.hook(scene, container, "stop", "--grace", "30s").start();
        shorter.await().endedWith(0).says("(grace 30s)");
        longer.await().endedWith(0).says("(grace 30s)");
        container.await().endedWith(143);
        scene.assertFiles("saved-0", "saved-1");
    }

    @DisplayName("a suspended outer is resumed when its launcher has ended")
    @Test
    void outerIsSuspended(Scene scene) {
        Launched container = StopCommandIT.ready(
                scene,
                scene.job(2).with(StopCommandIT.saver(scene, "0.1")).behind("/bin/sh", "-c", "\"$@\"; exit 7", "sh"));
        long outer =
                Processes.childrenOf(Processes.inNamespaces(container.pid())).get(0);
        Processes.signal("STOP", outer);
        StopCommandIT.hook(scene, container, "stop", "--grace", "19s")
                .run()
                .endedWith(0)
                .says("(grace 19s)");
        container.await().endedWith(7);
    }

    @DisplayName("a launcher that waits for its next attempt is found by its job's id, also if a variable sets the id")
    @Test
    void betweenRunsTheJobIsKnown(Scene scene) {
        Launched container = StopCommandIT.container(scene.apart(scene.muster("--engine", "pytorch-gpu"))
                .with("--platform", "none", "--cards", "1", "--restarts", "6", "--")
                .with("/bin/sh", "-c", "exit $MUSTER_RUN")
                .set("MUSTER_JOB_ID", "waits"));
        container.awaitMessage("run 6 begins in 16s");
        assertThat(StopCommandIT.hook(scene, container, "ps").run().output()).contains("waits", "starting");
        StopCommandIT.hook(scene, container, "stop", "--job", "other")
                .run()
                .endedWith(64)
                .says("job waits");
        StopCommandIT.hook(scene, container, "stop", "--job", "waits", "--grace", "5s")
                .run()
                .endedWith(0);
        container.await().endedWith(143);
    }

    @DisplayName("a simulation ends with its nodes, which have the grace of the stop")
    @Test
    void aSimulationHasTheGrace(Scene scene) {
        String rank = scene.script(
                "rank",
                "trap 'sleep 0.7; : > $scene/saved-$RANK; exit 0' TERM",
                ": > $scene/ready-$RANK",
                "sleep 600 & wait");
        Launched container = StopCommandIT.ready(
                scene,
                scene.apart(scene.muster("simulate", "--engine", "pytorch-gpu"))
                        .with(
                                "--nodes",
                                "2",
                                "--cards",
                                "1",
                                "-o",
                                "processes=per-card",
                                "--grace",
                                "100ms",
                                "--",
                                rank)
                        .behind("/bin/sh", "-c", "\"$@\"; exit 7", "sh"));
        StopCommandIT.hook(scene, container, "stop", "--grace", "30s")
                .run()
                .endedWith(0)
                .says("ends with the launchers that it has started", "stopping job", "(grace 30s)");
        container.await().endedWith(7).says("exit 143");
        scene.assertFiles("saved-0", "saved-1");
    }
}
