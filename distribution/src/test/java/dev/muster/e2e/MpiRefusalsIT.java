package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Containers in which a job of the engine {@code mpi} cannot run. The launcher says why, and how to fix it. */
@ExtendWith(Scenes.class)
class MpiRefusalsIT {

    private static final String PORT = "36666";

    private static MpiJob job(Scene scene) {
        return MpiJob.onHosts(scene, 2).running("/bin/true");
    }

    /** A program that has the port of sshd. */
    private static Invocation listener(Scene scene) {
        return scene.command(
                "python3",
                "-c",
                "import socket, time; s = socket.create_server(('', " + PORT
                        + ")); print('up', flush=True); time.sleep(600)");
    }

    @Test
    void severalHostsNeedAnIndexAndANameThatIsNoHostNameIsRefused(Scene scene) {
        MpiJob job = job(scene);
        new OnHost(job.launcher(1).unset("VC_TASK_INDEX", "VK_TASK_INDEX").start())
                .await()
                .endedWith(78)
                .says("MA_TASK_INDEX", "VC_TASK_INDEX", "VK_TASK_INDEX");
        job.set("MA_VJ_NAME", "$(touch /tmp/called)")
                .start(0)
                .await()
                .endedWith(78)
                .says("MA_VJ_NAME");
        job.hosts().assertNothingIsLeft();
    }

    @Test
    void nodesNeedAKeyInCommon(Scene scene) {
        MpiJob job = job(scene);
        job.hosts().all().forEach(host -> {
            host.shell("rm -r /home/ma-user/.ssh");
            host.expectsFiles();
        });
        job.start(0).await().endedWith(69).says("key", ".ssh");
        job.start(1).await().endedWith(69).says("key", ".ssh");
        job.hosts().assertNothingIsLeft();
    }

    @Test
    void theUserNeedsANameAndTheServerOfRootItsDirectory(Scene scene) {
        MpiJob job = job(scene);
        job.host(0).shell("grep -v ^ma-user /etc/passwd > /tmp/passwd; cat /tmp/passwd > /etc/passwd; rm /tmp/passwd");
        job.start(0).await().endedWith(69).says("1000", "passwd");
        job.host(1).shell("rmdir /run/sshd");
        job.host(1).expectsFiles();
        assertThat(job.asRoot().start(1).await().endedWith(69).output()).contains("/run/sshd", "mkdir -p");
        job.hosts().assertNothingIsLeft();
    }

    @DisplayName("a job of one node needs only the interface lo, and says so if lo is down")
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aJobOfOneNodeNeedsNoNetwork(boolean isLoUp, Scene scene) {
        Components.requireRoot();
        Components.require("unshare", "mpirun");
        Result result = scene.apart(scene.muster("--engine", "mpi", "--platform", "none"))
                .with("--cards", "2", "--job-id", scene.jobId(), "--", "true")
                .behind(
                        "unshare",
                        "--net",
                        "/bin/sh",
                        "-c",
                        (isLoUp ? "ip link set lo up; " : "") + "exec \"$@\"",
                        "sh")
                .run();
        if (isLoUp) {
            result.endedWith(0);
        } else {
            result.endedWith(1).says("no network interface is up here, not even lo", "\"ip link set lo up\"");
        }
    }

    @Test
    void aProgramThatLacksIsNamedWithItsPackage(Scene scene) {
        MpiJob job = job(scene);
        Map.of("/usr/bin/mpirun", "openmpi-bin", "/usr/sbin/sshd", "openssh-server")
                .forEach((program, inPackage) -> {
                    // Hides the program on this host: the launcher ignores a file that cannot be executed.
                    job.host(1).shell("mount --bind /dev/null $(readlink -f " + program + ")");
                    job.start(1)
                            .await()
                            .endedWith(69)
                            .says(Path.of(program).getFileName().toString(), inPackage);
                    job.host(1).shell("umount $(readlink -f " + program + ")");
                });
        job.hosts().assertNothingIsLeft();
    }

    @Test
    void aPortThatAnEarlierRunDoesNotGiveUpIsWaitedForAndThatOfAnotherProgramIsNot(Scene scene) {
        MpiJob job = job(scene);
        OnHost left = new OnHost(job.host(1)
                        .here(listener(scene).behind(TestHost.AS_USER).set("MUSTER_JOB", "of an earlier run"), "/")
                        .start())
                .awaitOutput("up");
        // The leader waits longer, so that only its own timeout ends the wait of the other launcher.
        OnHost leader = job.start(0).awaitMessage("runs mpirun");
        // This launcher stays for 10 s more to tell the leader.
        job.set("MUSTER_INPUT_TIMEOUT", "10s")
                .start(1)
                .await()
                .endedWith(75)
                .says(PORT, "of user ma-user", "earlier run");
        leader.await().endedWith(75).says(PORT, "after 10s");
        left.signal("KILL").await();
        job.hosts().assertNothingIsLeft();

        OnHost other = new OnHost(job.host(1)
                        .here(listener(scene).behind(TestHost.AS_USER), "/")
                        .start())
                .awaitOutput("up");
        // This launcher waits for node 0, which never comes.
        OnHost refused = job.set("MUSTER_INPUT_TIMEOUT", "30m").start(1).awaitMessage("staying for up to 30s");
        refused.signal("TERM").await().endedWith(69).says(PORT, "of user ma-user");
        other.signal("KILL").await();
        job.hosts().assertNothingIsLeft();
    }
}
