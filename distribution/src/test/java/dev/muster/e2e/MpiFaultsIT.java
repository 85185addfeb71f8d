package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Jobs of the engine {@code mpi} on several hosts that lose one of them. */
@ExtendWith(Scenes.class)
class MpiFaultsIT {

    /**
     * Asserts that the job ends with 75, and leaves nothing on any host. That includes a host that cannot be reached.
     *
     * @param launchers the launcher of the lost host is the last one, if it runs
     */
    private static void endsWithout(TestHost lost, MpiJob job, OnHost... launchers) {
        List<Result> results = job.end(75, launchers);
        results.get(0).says(lost.shortName());
    }

    /** A job on two hosts, whose ranks run until they are stopped. {@link LinkLossIT} has a worker that loses its network. */
    private static OnHost[] start(MpiJob job) {
        OnHost[] launchers = job.with("--lost-after", "5s", "--grace", "2s")
                .script(": > $notes/ready-$me; exec sleep 600")
                .startAll();
        job.awaitNotes("ready");
        return launchers;
    }

    @Test
    void nodeZeroThatLosesItsNetworkEndsTheJobOnAllHosts(Scene scene) {
        MpiJob job = MpiJob.onHosts(scene, 2);
        OnHost[] launchers = start(job);
        job.host(0).losesItsNetwork();
        endsWithout(job.host(0), job, launchers[1], launchers[0]);
    }

    @Test
    void aLauncherOfAWorkerThatIsKilledEndsTheJob(Scene scene) {
        MpiJob job = MpiJob.onHosts(scene, 2);
        OnHost[] launchers = start(job);
        launchers[1].killJvm().await();
        endsWithout(job.host(1), job, launchers[0]);
    }

    /**
     * The platform starts the launcher again at once, in the same container, while the ranks of the first one still save.
     * The ranks of other hosts have the one second that mpirun gives them.
     */
    @Test
    void nodeZeroIsStartedAgainWhileItsOldRunIsCleanedUp(Scene scene) {
        MpiJob job = MpiJob.onHosts(scene, 2)
                .with("--grace", "10s")
                .script(
                        "[ ! -e $notes/second ] || { echo second run; exit 0; }",
                        "trap 'sleep 3; : > $notes/saved-$me; exit 0' TERM",
                        ": > $notes/ready-$me; sleep 600 & wait");
        OnHost[] launchers = job.startAll();
        job.awaitNotes("ready");
        Scene.write(job.note("second"), "");
        launchers[0].killJvm();
        OnHost again = job.start(0);
        launchers[0].await();
        launchers[1].await().endedWith(75);
        List<Result> results = job.end(0, again, job.start(1));
        assertThat(results.get(0).output()).contains("second run");
        scene.assertFiles("notes/saved-0");
    }

    @Test
    @DisplayName("killing the launcher of node 0 ends the others, and Open MPI's shared memory is removed")
    void aLauncherOfNodeZeroThatIsKilledEndsTheOthersAndOpenMpisMemoryGoes(Scene scene) {
        MpiJob job = MpiJob.onHosts(scene, 2)
                .with("--lost-after", "5s", "--grace", "1s")
                .script(
                        "trap '' TERM INT HUP",
                        "exec " + Components.requireMpi()
                                + " -c 'import time; from mpi4py import MPI; MPI.COMM_WORLD.Barrier();"
                                + " open(\"'$notes'/ready-%d\" % MPI.COMM_WORLD.rank, \"w\"); time.sleep(600)'");
        OnHost[] launchers = job.startAll();
        job.awaitNotes("ready");
        for (int host = 0; host < 2; host++) {
            job.host(host).shell("ls -d /tmp/ompi.*/*.* && ls /dev/shm/muster-*/vader_segment.*");
        }
        launchers[0].killJvm().await();
        launchers[1].await().endedWith(75).says(job.host(0).shortName());
        // Its session directory stays.
        job.host(0).shell("rm -rf /tmp/ompi.*");
        job.hosts().assertNothingIsLeft();
    }

    /** The kernel kills like this where a container has {@code memory.oom.group}. Files on a volume outlive the container. */
    @Test
    @DisplayName("the next launchers remove what Open MPI has left, after all processes on all hosts were killed")
    void whatOpenMpiLeavesInKilledContainersGoesWithTheNextLaunchers(Scene scene) {
        MpiJob job = MpiJob.onHosts(scene, 2)
                .script(
                        "[ ! -e $notes/second ] || exit 0",
                        "exec " + Components.requireMpi()
                                + " -c 'import time; from mpi4py import MPI; MPI.COMM_WORLD.Barrier();"
                                + " open(\"'$notes'/ready-%d\" % MPI.COMM_WORLD.rank, \"w\"); time.sleep(600)'");
        OnHost[] launchers = job.startAll();
        job.awaitNotes("ready");
        for (int host = 1; host >= 0; host--) {
            job.host(host).shell("ls -d /tmp/ompi.*/*.* && ls /dev/shm/muster-*/vader_segment.* && kill -s KILL -- -1");
        }
        for (OnHost launcher : launchers) {
            launcher.await();
        }
        // The socket of a launcher stays when all of its processes are killed.
        job.hosts().all().forEach(host -> host.shell("rm -r /dev/shm/muster-1000"));
        Scene.write(job.note("second"), "");
        job.run(0);
    }

    @Test
    void hostsThatAreNotThereInTimeAreNamedEachWithTheReason(Scene scene) {
        MpiJob job = MpiJob.onHosts(scene, 5).with("--input-timeout", "10s").running("/bin/true");
        job.host(0).forgets(job.host(3).name());
        job.host(4).losesItsNetwork();
        OnHost worker = job.start(1);
        List<Result> results = job.end(75, job.start(0), worker);
        results.get(0)
                .says(
                        job.host(2).shortName(),
                        job.host(3).shortName(),
                        job.host(4).shortName())
                .doesNotSay("command not found");
    }

    /** A launcher that could not log in has no effect on the job, not even when it fails. */
    @Test
    void aHostWithAnotherKeyIsNoneOfTheJob(Scene scene) {
        MpiJob job = MpiJob.onHosts(scene, 2).with("--input-timeout", "5s").running("/bin/true");
        job.host(1)
                .shell("cd /home/ma-user/.ssh && rm id_rsa* && ssh-keygen -q -t rsa -b 2048 -N '' -f id_rsa"
                        + " && cp id_rsa.pub authorized_keys && chown 1000:100 *");
        OnHost other = job.start(1);
        List<Result> results = job.end(75, job.start(0), other);
        results.get(0).says(job.host(1).shortName(), "did not come within 5s");
        results.get(1).says(job.host(0).shortName());
    }
}
