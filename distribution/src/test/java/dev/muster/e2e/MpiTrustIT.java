package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The key of {@code -o ssh-key}: other users of these machines cannot log in with a key of theirs. */
@ExtendWith(Scenes.class)
class MpiTrustIT {

    private static final String[] AS_STRANGER = {"setpriv", "--reuid", "4711", "--regid", "4711", "--clear-groups"};

    /** Part of every key that the other user makes. */
    private static final String EVIL = "of-a-stranger";

    private static Path shared(Scene scene) {
        return scene.beside("shared");
    }

    private static Path key(Scene scene) {
        return shared(scene).resolve("key");
    }

    /** A job of root with a key in a directory that has these permissions. */
    private static MpiJob job(Scene scene, String mode) {
        scene.command("mkdir", "-m", mode, shared(scene).toString()).run().endedWith(0);
        return MpiJob.onHosts(scene, 2)
                .with("-o", "ssh-key=" + key(scene))
                .running("/bin/true")
                .asRoot();
    }

    private static void makeKey(Scene scene, Path file, String commands) {
        String make = "ssh-keygen -q -t ed25519 -N '' -C " + EVIL + " -f " + file + " && rm " + file + ".pub && ";
        scene.command("/bin/sh", "-c", make + commands + " " + file).run().endedWith(0);
    }

    /** Commands that another user of the machine runs. */
    private static Invocation stranger(Scene scene, String commands) {
        return scene.command("/bin/sh", "-c", "cd " + shared(scene) + " && " + commands)
                .behind(AS_STRANGER);
    }

    private static void assertRefused(MpiJob job, String... reasons) {
        job.start(0).await().endedWith(78).says(reasons);
    }

    @Test
    void aKeyThatOthersHaveAHandInIsNeverUsed(Scene scene) {
        MpiJob job = job(scene, "1777");
        String key = key(scene).toString();
        makeKey(scene, key(scene), "chown 4711");
        assertRefused(job, key, "uid 4711", "chown", "ssh-key");
        stranger(scene, "rm key && ln -s /tmp/none key").run().endedWith(0);
        assertRefused(job, key, "is a link of uid 4711");
        stranger(scene, "rm key").run().endedWith(0);
        makeKey(scene, key(scene), "chmod 644");
        assertRefused(job, "0644", "chmod 600 " + key);
        scene.command("chmod", "600", key).run().endedWith(0);
        job.run(0);
        scene.command("chmod", "0777", shared(scene).toString()).run().endedWith(0);
        assertRefused(job, shared(scene).toString(), "is writable by others (0777)");
    }

    @Test
    @DisplayName(
            "a key that Kubernetes mounts for all to read is used, and ranks of all hosts have their launcher's umask")
    void aKeyOnAReadOnlyMountIsUsed(Scene scene) {
        MpiJob job = MpiJob.onHosts(scene, 2).script("umask >$notes/umask-$me");
        job.hosts().all().forEach(host -> {
            host.shell("cd /home/ma-user; cp .ssh/id_rsa /tmp/key; mount -t tmpfs none .ssh; mkdir .ssh/..data;"
                    + " cp /tmp/key .ssh/..data/id_rsa; ln -s ..data/id_rsa .ssh/id_rsa; rm /tmp/key;"
                    + " chmod 644 .ssh/..data/id_rsa; mount -o remount,ro .ssh");
            host.expectsFiles();
        });
        OnHost[] launchers = new OnHost[2];
        for (int node = 1; node >= 0; node--) {
            launchers[node] = new OnHost(job.launcher(node).after("umask 002").start());
        }
        job.end(0, launchers).get(0).says("id_rsa can be read or written by others (0644)");
        for (String note : Scene.each("umask-", job.ranks())) {
            assertThat(job.note(note)).hasContent("0002");
        }
    }

    @Test
    @DisplayName("while another user swaps links and files, the launcher uses the job's own key or none")
    void swappedLinksLetNobodyIn(Scene scene) {
        MpiJob job = job(scene, "1777").script("! grep -qs " + EVIL + " /run/muster-*/authorized_keys");
        makeKey(scene, shared(scene).resolve("evil"), "chown 4711");
        Launched swapping = stranger(
                        scene,
                        "echo ready; while :; do ln -s evil key; rm -f key; cp evil key; rm -f key; done 2>/dev/null")
                .start();
        swapping.awaitOutput("ready");
        // One launcher may get the key while the other refuses it. The first one then waits in vain.
        OnHost[] launchers = job.with("--input-timeout", "8s").startAll();
        for (OnHost launcher : launchers) {
            assertThat(launcher.await().exitCode()).isIn(0, 69, 75, 78);
        }
        swapping.signal("KILL").await();
    }
}
