package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The same job in less comfortable places: another user, nothing to write to, the first process of a container. */
@ExtendWith(Scenes.class)
class MachineIT {

    private static final String[] TABLE_OF_TWO = {"0 10.0.0.1", "1 10.0.0.2"};

    private static ModelArtsNode node(Scene scene) {
        return ModelArtsNode.of(
                scene, "job-0", RankTables.templateTwo(RankTables.pod("job-0", "192.168.0.25", TABLE_OF_TWO)));
    }

    @OnEveryJdk
    void aUserWithoutRightsRunsTheJob(Scene scene) {
        Components.requireRoot();
        Components.require("setpriv");
        Probe probe = Probe.in(scene);
        ModelArtsNode node = node(scene);
        scene.command("chown", "-R", "1000:100", scene.beside("").toString())
                .run()
                .endedWith(0);
        node.muster(scene)
                .with(probe.program())
                .behind("setpriv", "--reuid", "1000", "--regid", "100", "--clear-groups", "--no-new-privs")
                .run()
                .endedWith(0);
        checkLogs(scene, node, probe);
    }

    @Test
    void aLogDirectoryOfSomebodyElseIsAWarning(Scene scene) {
        Components.requireRoot();
        Components.require("setpriv");
        Probe probe = Probe.in(scene);
        ModelArtsNode node = node(scene);
        scene.command("chown", "-R", "1000:100", scene.beside("").toString())
                .run()
                .endedWith(0);
        scene.command("chown", "0:0", node.logs().toString()).run().endedWith(0);
        Result result = node.muster(scene, "--prefix", "none")
                .with(probe.program())
                .behind("setpriv", "--reuid", "1000", "--regid", "100", "--clear-groups")
                .run()
                .endedWith(0)
                .says("warning", node.logs().toString());
        assertThat(result.outputLines()).containsExactlyInAnyOrder("rank 0 was here", "rank 1 was here");
        assertThat(Scene.tree(node.logs())).containsExactly("");
    }

    @OnEveryJdk
    void aReadOnlyRootFileSystemIsEnough(Scene scene) {
        Components.requireRoot();
        Components.require("unshare", "mount");
        Probe probe = Probe.in(scene);
        ModelArtsNode node = node(scene);
        // Only the platform's own directories can be written, neither /tmp nor the home directory.
        Path writable = scene.beside("");
        String mounts = "set -e; mount --bind " + writable + " " + writable + "; mount -o remount,bind,ro /; cd "
                + scene.directory()
                + "; if touch /tmp/e2e-writable 2> /dev/null; then mount -t tmpfs -o ro none /tmp; fi";
        node.muster(scene)
                .with(probe.program())
                .set("HOME", "/root")
                .after(mounts)
                .behind("unshare", "-m", "--propagation", "private")
                .run()
                .endedWith(0);
        checkLogs(scene, node, probe);
    }

    private static void checkLogs(Scene scene, ModelArtsNode node, Probe probe) {
        assertThat(probe.count()).isEqualTo(2);
        assertThat(node.log(0, 0)).hasContent("rank 0 was here");
        assertThat(node.log(1, 1)).hasContent("rank 1 was here");
        assertThat(node.convertedTable()).exists();
        assertThat(Scene.tree(node.logs()))
                .as("a result lies beside the logs")
                .anyMatch(name -> name.endsWith("-result.json"));
        scene.assertNothingIsLeft();
    }

    @OnEveryJdk
    void theFirstProcessOfAContainerRunsTheJobAndBuriesOrphans(Scene scene) {
        Components.requireRoot();
        Components.require("unshare");
        // Orphans become children of process 1, which must take note of their end.
        String rank = scene.script(
                "rank",
                "[ \"$(readlink /proc/self)\" -lt 10000 ] || exit 9",
                "for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do (sleep 0.01 &) ; done",
                "sleep 0.5",
                "grep -l '^State:.Z' /proc/[0-9]*/status > $scene/zombies-$RANK_ID",
                ": > $scene/counted-$RANK_ID",
                "until [ -e $scene/counted-0 -a -e $scene/counted-1 ]; do sleep 0.02; done",
                "exit $RANK_ID");
        Result result = inNewPidNamespace(scene.job(2).with(rank)).run().endedWith(1);
        result.says("rank 1");
        for (String file : List.of("zombies-0", "zombies-1")) {
            assertThat(Scene.read(scene.beside(file)).lines().count())
                    .as("zombies")
                    .isLessThan(5);
        }
    }

    @OnEveryJdk
    void theFirstProcessOfAContainerObeysSignals(Scene scene) {
        Components.requireRoot();
        Components.require("unshare");
        String rank = scene.script(
                "rank",
                "trap 'echo saved > $scene/saved-$RANK_ID; exit 0' TERM",
                ": > $scene/ready-$RANK_ID",
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
        assertThat(scene.beside("saved-0")).exists();
        assertThat(scene.beside("saved-1")).exists();
    }

    @Test
    void theFirstProcessOfAContainerObeysSignalsWhileItStarts(Scene scene) {
        Components.requireRoot();
        Components.require("unshare");
        String rank = scene.script("rank", "exec sleep 600");
        for (int run = 0; run < Repetitions.orElse(8); run++) {
            // The kernel keeps a signal from a first process that does not catch it yet: TERM is 15, the 4000 of
            // SigCgt.
            String first = "\"$@\" & until first=$(cat /proc/$!/task/$!/children) && [ \"$first\" ] && "
                    + "grep -q '^SigCgt:.*[4-7c-f]...$' /proc/${first% }/status; do sleep 0.002; done; ";
            String moment = String.format("0.%03d", 43 * run % 400);
            String kill = first + "sleep " + moment + "; kill -s TERM $first; wait $!";
            Result result = inNewPidNamespace(scene.job(4).with(rank))
                    .behind("/bin/sh", "-c", kill, "sh")
                    .run();
            result.wasTerminated();
            scene.assertNothingIsLeft();
        }
    }

    private static Invocation inNewPidNamespace(Invocation job) {
        return job.behind("unshare", "--pid", "--fork", "--mount-proc");
    }

    @Test
    void everythingAtOnce(Scene scene) {
        Components.requireRoot();
        Components.require("unshare", "setpriv");
        Probe probe = Probe.in(scene);
        ModelArtsNode node = node(scene);
        scene.command("chown", "-R", "1000:100", scene.beside("").toString())
                .run()
                .endedWith(0);
        Invocation job = node.muster(scene)
                .with(probe.program(), "größe")
                .set("LANG", "C")
                .unset("HOME")
                .behind("setpriv", "--reuid", "1000", "--regid", "100", "--clear-groups", "--no-new-privs");
        inNewPidNamespace(job.after("exec >&-")).run().endedWith(0);
        checkLogs(scene, node, probe);
        assertThat(probe.rank(1).arguments()).containsExactly("größe");
    }
}
