package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The key in {@code -o shared-directory}: whoever else has a user on these machines gets in by none. */
@ExtendWith(Scenes.class)
class MpiTrustIT {

    private static final String[] AS_STRANGER = {"setpriv", "--reuid", "4711", "--regid", "4711", "--clear-groups"};

    /** Part of every key that the stranger makes. */
    private static final String EVIL = "of-a-stranger";

    private static final String KEY = TestHosts.JOB + ".key";

    private static Path shared(Scene scene) {
        return scene.beside("shared");
    }

    /** A job with a shared directory that has these permissions. */
    private static MpiJob job(Scene scene, String mode, boolean asRoot) {
        MpiJob job = MpiJob.onHosts(scene, 2)
                .with("-o", "shared-directory=" + shared(scene))
                .running("/bin/true");
        scene.command("mkdir", "-m", mode, shared(scene).toString()).run().endedWith(0);
        if (!asRoot) {
            scene.command("chown", "1000:100", shared(scene).toString()).run().endedWith(0);
        }
        return asRoot ? job.asRoot() : job;
    }

    private static Path key(Scene scene) {
        return shared(scene).resolve(KEY);
    }

    /** A key of the stranger's. */
    private static void evilKey(Scene scene, String name) {
        String file = shared(scene).resolve(name).toString();
        String make = "ssh-keygen -q -t ed25519 -N '' -C " + EVIL + " -f " + file + " && rm " + file
                + ".pub && chown 4711 " + file;
        scene.command("/bin/sh", "-c", make).run().endedWith(0);
    }

    /** What another user of the machine does. */
    private static Invocation stranger(Scene scene, String commands) {
        return scene.command("/bin/sh", "-c", "cd " + shared(scene) + " && " + commands.replace("KEY", KEY))
                .behind(AS_STRANGER);
    }

    @ParameterizedTest(name = "1.1 a key that another user has put there is never used, by root: {0}")
    @ValueSource(booleans = {true, false})
    void aPlantedKeyIsRefused(boolean asRoot, Scene scene) {
        MpiJob job = job(scene, "1777", asRoot);
        evilKey(scene, KEY);
        byte[] before = bytes(key(scene));
        job.start(0).await().endedWith(78).says(key(scene).toString(), "uid 4711", "0600", "chown", "shared-directory");
        job.start(1).await().endedWith(78).says(key(scene).toString(), "uid 4711");
        assertThat(bytes(key(scene))).isEqualTo(before);
        job.hosts().assertNothingIsLeft();
    }

    @Test
    @DisplayName("1.2 a directory that others can write, and what strangers left in one where they can add things")
    void whereOthersCouldPutAKeyNoneIsMade(Scene scene) {
        MpiJob job = job(scene, "0777", true);
        assertRefused(scene, job, ":", "is writable by others (0777)");
        scene.command("chmod", "1777", shared(scene).toString()).run().endedWith(0);
        assertRefused(scene, job, "ln -s /tmp/none KEY", "is a link of uid 4711");
        assertRefused(scene, job, "rm KEY; : > KEY", "belongs to uid 4711");
        stranger(scene, "rm KEY").run().endedWith(0);
        scene.command("chmod", "755", shared(scene).toString()).run().endedWith(0);
        assertReadableKeyIsRefused(scene, job);
    }

    private static void assertRefused(Scene scene, MpiJob job, String doing, String reason) {
        stranger(scene, doing).run().endedWith(0);
        List<String> before = Scene.tree(shared(scene));
        job.host(0).expectsFiles();
        Result result = job.start(0).await().endedWith(78).says(shared(scene).toString(), reason);
        assertThat(result.messages()).containsPattern("mode 0?[0-7]{3}|1?[0-7]{3}|Remove it");
        assertThat(Scene.tree(shared(scene))).isEqualTo(before);
    }

    /** A key that others can read is refused, and the command that helps is told. */
    private static void assertReadableKeyIsRefused(Scene scene, MpiJob job) {
        scene.command(
                        "ssh-keygen",
                        "-q",
                        "-t",
                        "ed25519",
                        "-N",
                        "",
                        "-f",
                        key(scene).toString())
                .run()
                .endedWith(0);
        scene.command("chmod", "644", key(scene).toString()).run().endedWith(0);
        job.start(0).await().endedWith(78).says("0644", "chmod 600 " + key(scene));
    }

    @Test
    @DisplayName("1.3 the key goes with the job, and the next job of that name makes another one;"
            + " 1.4 it also goes when the job is stopped, by a signal to one of the nodes")
    void theKeyGoesWithTheJob(Scene scene) {
        MpiJob job = job(scene, "1777", false)
                .script(
                        "[ $me != 0 ] || cp " + key(scene) + " $notes/key-$RUN",
                        ": > $notes/up-$RUN-$me",
                        "[ $RUN = 1 ] || exec sleep 600");
        job.set("RUN", "1").run(0).forEach(result -> result.doesNotSay("warning: the job's key"));
        assertThat(shared(scene)).isEmptyDirectory();

        OnHost[] launchers = job.set("RUN", "2").startAll();
        job.awaitNotes("up-2");
        assertThat(key(scene)).exists();
        launchers[1].signal("TERM");
        job.end(143, launchers).forEach(result -> result.doesNotSay("warning: the job's key"));
        assertThat(shared(scene)).isEmptyDirectory();
        assertThat(bytes(job.note("key-1"))).isNotEqualTo(bytes(job.note("key-2")));
    }

    @Test
    @DisplayName("1.4 the key also goes when both launchers are killed")
    void theKeyGoesWhenTheLaunchersAreKilled(Scene scene) {
        MpiJob job = job(scene, "0700", true).script(": > $notes/up-$me", "exec sleep 600");
        OnHost[] launchers = job.startAll();
        job.awaitNotes("up");
        assertThat(key(scene)).exists();
        for (OnHost launcher : launchers) {
            launcher.killJvm();
        }
        job.end(70, launchers);
        Await.until("the key is gone", () -> Files.notExists(key(scene), LinkOption.NOFOLLOW_LINKS));
    }

    @Test
    @DisplayName("1.5 while a stranger swaps links and files, either the job's own key is used or none")
    void swappedLinksLetNobodyIn(Scene scene) {
        MpiJob job = job(scene, "1777", true).script("! grep -qs " + EVIL + " /run/muster-*/authorized_keys");
        evilKey(scene, "evil");
        Launched swapping = stranger(
                        scene,
                        "echo ready; while :; do ln -s evil KEY; rm -f KEY; cp evil KEY; rm -f KEY; done 2>/dev/null")
                .start();
        swapping.awaitOutput("ready");
        // One that has the key when the other refused it waits for that one in vain.
        OnHost[] launchers = job.with("--input-timeout", "8s").startAll();
        for (OnHost launcher : launchers) {
            assertThat(launcher.await().exitCode()).isIn(0, 69, 75, 78);
        }
        swapping.signal("KILL").await();
    }

    private static byte[] bytes(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
