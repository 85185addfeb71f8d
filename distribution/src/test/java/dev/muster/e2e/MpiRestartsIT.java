package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Restarts of the engine {@code mpi}, over a real sshd: what each attempt starts anew. */
@Order(1)
@ExtendWith(Scenes.class)
class MpiRestartsIT {

    private static final String PORT = "40023";

    /** Notes the attempt, and waits until the test tells it to fail or to succeed. */
    private static final String[] RANK = {
        ": > $notes/$ROUND-$MUSTER_RUN-$me",
        "until [ -e $notes/end-$ROUND-$MUSTER_RUN-$me ]; do [ ! -e $notes/end ] || exit 0; sleep 0.05; done",
        "exit $((2 + MUSTER_RUN))"
    };

    private static MpiJob job(Scene scene, int hosts, int nodes) {
        return MpiJob.onHosts(scene, hosts)
                .over(nodes)
                .with("--sshd-port", PORT, "--restarts", "5", "--grace", "3s")
                .set("ROUND", "run")
                .script(RANK);
    }

    private static void fail(MpiJob job, String run, int rank) {
        Scene.write(job.note("end-" + run + "-" + rank), "");
    }

    /** The pids of listening sshd processes. The other sshd processes are logins. */
    private static List<Long> servers(TestHost host) {
        return host.processes().stream()
                .filter(process -> process.contains("sshd") && process.contains("[listener]"))
                .map(process -> Long.parseLong(process.substring(0, process.indexOf(' '))))
                .toList();
    }

    @Test
    @DisplayName("mpi: each attempt has an sshd, also after another container replaced a node or node 0 came again")
    void eachAttemptHasAnSshd(Scene scene) {
        MpiJob job = job(scene, 3, 2);
        OnHost[] launchers = job.startAll();
        job.awaitNotes("run-1");

        fail(job, "run-1", 3);
        job.awaitNotes("run-2");

        launchers[1].killJvm().await();
        OnHost another = job.startInPlaceOf(1, 2);
        job.awaitNotes("run-3");
        assertThat(servers(job.host(1))).isEmpty();

        launchers[0].killJvm().await();
        OnHost leader = job.start(0);
        job.awaitNotes("run-4");

        Scene.write(job.note("end"), "");
        job.end(0, leader, another).forEach(result -> result.says("after 4 runs"));
        job.hosts().assertNobodyListens();
    }

    @Test
    @DisplayName("mpi: the image's sshd starts again, also when a container with another host key becomes node 0")
    void theImagesSshdStartsAgainWhenAnotherContainerBecomesTheFirstNode(Scene scene) {
        MpiJob job = job(scene, 3, 2).with("-o", "sshd=image");
        job.hosts().all().forEach(host -> {
            host.shell(MpiModesIT.IMAGE
                    + "rm etc/ssh_host_rsa_key; ssh-keygen -q -t ed25519 -N '' -f etc/ssh_host_rsa_key;"
                    + " chown 1000:100 etc/ssh_host_rsa_key*");
            host.expectsFiles();
        });
        OnHost[] launchers = job.startAll();
        job.awaitNotes("run-1");
        fail(job, "run-1", 3);
        job.awaitNotes("run-2");

        launchers[0].killJvm().await();
        OnHost leader = job.startInPlaceOf(0, 2);
        job.awaitNotes("run-3");
        assertThat(servers(job.host(0))).isEmpty();
        Scene.write(job.note("end"), "");
        job.end(0, leader, launchers[1]).forEach(result -> result.says("after 3 runs"));
    }

    @Test
    @DisplayName("mpi: no sshd runs between two attempts, and none stays, however the launcher ends then")
    void betweenTwoRunsNoSshdIsThere(Scene scene) {
        MpiJob job = job(scene, 2, 2);
        OnHost[] stopped = failed(job, "stopped");
        assertThat(servers(job.host(1))).isEmpty();
        stopped[1].signal("TERM");
        job.end(143, stopped);
        job.hosts().assertNobodyListens();

        OnHost[] killed = failed(job, "killed");
        for (OnHost launcher : killed) {
            launcher.killJvm();
        }
        for (OnHost launcher : killed) {
            launcher.await();
        }
        job.hosts().assertNothingIsLeft();
        job.hosts().assertNobodyListens();
    }

    /** A job whose third attempt has failed. Its next attempt begins seconds later. */
    private static OnHost[] failed(MpiJob job, String round) {
        OnHost[] launchers = job.set("ROUND", round).startAll();
        for (int run = 1; run < 4; run++) {
            job.awaitNotes(round + "-" + run);
            failAgain(job, round, run, launchers);
        }
        return launchers;
    }

    private static void failAgain(MpiJob job, String round, int run, OnHost... launchers) {
        fail(job, round + "-" + run, 3);
        for (OnHost launcher : launchers) {
            launcher.awaitMessage("run " + (run + 1) + " begins");
        }
        // The launcher has its socket there.
        assertThat(job.host(1).file("/dev/shm").toFile().list())
                .as("what MPI left of the run")
                .isSubsetOf("muster-1000");
    }
}
