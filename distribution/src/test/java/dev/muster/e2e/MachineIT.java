package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The same job as another user, and where the launcher may write nothing. */
@ExtendWith(Scenes.class)
class MachineIT {

    private static final String[] TABLE_OF_TWO = {"0 10.0.0.1", "1 10.0.0.2"};

    private static ModelArtsNode node(Scene scene) {
        return ModelArtsNode.of(
                scene, "job-0", RankTables.templateTwo(RankTables.pod("job-0", "192.168.0.25", TABLE_OF_TWO)));
    }

    @OnOneJdk
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
    void aUmaskThatTakesTheUsersOwnRightsIsNoObstacle(Scene scene) {
        Components.requireRoot();
        Components.require("setpriv");
        String own = scene.beside("private").toString();
        scene.command(
                        "/bin/sh",
                        "-c",
                        "mkdir -p \"$0\" && chown -R 1000:100 \"$1\"",
                        own,
                        scene.beside("").toString())
                .run()
                .endedWith(0);
        String rank = scene.script("rank", "ls -A " + own + "/muster-*");
        // The plain jar unpacks its native program there.
        Result result = scene.jarJob(1)
                .with(rank)
                .set("XDG_RUNTIME_DIR", own)
                .after("umask 177")
                .behind("setpriv", "--reuid", "1000", "--regid", "100", "--clear-groups")
                .run()
                .endedWith(0);
        assertThat(result.output()).contains("muster");
        assertThat(scene.beside("private")).isEmptyDirectory();
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

    @OnOneJdk
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

    @OnOneJdk
    void aMachineWithoutProcIsEnough(Scene scene) {
        Components.requireRoot();
        Components.require("unshare", "mount");
        String rank = scene.script("rank", "seq 50000", "[ $me = 0 ] || exit 3", "exec sleep 600");
        scene.job(2, "--grace", "2s")
                .with(rank)
                .after("mount -t tmpfs none /proc")
                .behind("unshare", "-m", "--propagation", "private")
                .run()
                .endedWith(3)
                .says("rank 1");
        assertThat(Scene.read(scene.log(1)).lines()).hasSize(50_000);
        scene.assertNothingIsLeft();
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
        ContainerIT.inNewPidNamespace(job.after("exec >&-")).run().endedWith(0);
        checkLogs(scene, node, probe);
        assertThat(probe.rank(1).arguments()).containsExactly("größe");
    }
}
