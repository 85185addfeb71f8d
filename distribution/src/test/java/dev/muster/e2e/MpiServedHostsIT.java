package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Jobs on hosts that serve ssh already, as those of the MPI operator and of Apulis do: the only launcher is on the first host,
 * and the ranks are on the others, one of which is known by an alias only.
 */
@ExtendWith(Scenes.class)
class MpiServedHostsIT {

    private static final Path ALLREDUCE = Product.project().resolve("examples/training/mpi_allreduce.py");

    private static final String SERVE = """
            ssh-keygen -q -t ed25519 -N '' -f /root/host_key
            printf 'HostKey /root/host_key\\nUsePAM no\\nPidFile /run/plain.pid\\n' >/root/plain
            /usr/sbin/sshd -f /root/plain -p %d
            """;

    private static MpiJob job(Scene scene) {
        MpiJob job = MpiJob.onHosts(scene, 3)
                .with("-o", "sshd=none", "--hostfile", hostfile(scene).toString());
        Scene.write(hostfile(scene), job.host(1).shortName() + " slots=2\nfar slots=2\n");
        job.host(0)
                .shell("printf 'Host far\\nHostName " + job.host(2).shortName()
                        + "\\nPort 2022\\n' >>/home/ma-user/.ssh/config");
        job.host(1).shell(SERVE.formatted(22));
        job.host(2).shell(SERVE.formatted(2022));
        job.hosts().all().forEach(TestHost::expectsFiles);
        return job;
    }

    private static Path hostfile(Scene scene) {
        return scene.beside("hosts.txt");
    }

    /** Demands how the launcher ends, and that of the job nothing is left but the servers. */
    private static Result end(MpiJob job, int code, OnHost launcher) {
        Result result = launcher.await().endedWith(code);
        job.host(1).shell("kill $(cat /run/plain.pid)");
        job.host(2).shell("kill $(cat /run/plain.pid)");
        job.hosts().assertNothingIsLeft();
        return result;
    }

    private static Result run(MpiJob job, int code) {
        return end(job, code, job.start(0));
    }

    @Test
    void theRanksOfTheirHostsAddUp(Scene scene) {
        MpiJob job = job(scene).running(Components.requireMpi(), ALLREDUCE.toString(), "--steps", "2");
        assertThat(run(job, 0).output()).contains("job: ok: 4 ranks: 2 on job-e2e-worker-1, 2 on job-e2e-worker-2");
    }

    /** Of one that ends by itself: {@link #aRankBesideTheLauncherFailsTheJobAsAnyOther}. */
    @Test
    void theCodeOfARankIsTheLaunchers(Scene scene) {
        MpiJob job = job(scene).script(": > $notes/up-$me", "[ $me = 2 ] || exec sleep 600", "kill -s KILL $$");
        run(job, 137);
    }

    @Test
    void hostsThatAreNotThereInTimeAreNamed(Scene scene) {
        MpiJob job = job(scene).with("--input-timeout", "3s").running("/bin/true");
        job.host(0)
                .shell("printf 'Host shut\\nHostName " + job.host(1).shortName()
                        + "\\nPort 2023\\n' >>/home/ma-user/.ssh/config");
        Scene.write(hostfile(scene), "shut slots=1\nfar slots=1\nghost slots=1\n");
        run(job, 75)
                .says("shut", "refused", "ghost", "resolve")
                .doesNotSay("far (")
                .tookLessThan(Duration.ofSeconds(20));
    }

    @Test
    void aHostWithAKeyThatNobodyKnowsEndsTheWaitAtOnce(Scene scene) {
        MpiJob job = job(scene).running("/bin/true");
        Scene.write(hostfile(scene), "far slots=1\n");
        job.host(0).shell("sed -i 's/StrictHostKeyChecking no/StrictHostKeyChecking yes/' /home/ma-user/.ssh/config");
        run(job, 75).says("host far", "known_hosts").tookLessThan(Duration.ofSeconds(20));
    }

    @Test
    void aSignalLetsTheRanksOfAllHostsSave(Scene scene) {
        MpiJob job = job(scene)
                .with("--grace", "20s")
                .script("trap 'sleep 2; : > $notes/saved-$me; exit 0' TERM", ": > $notes/up-$me; sleep 600 & wait");
        OnHost launcher = job.start(0);
        scene.awaitFiles(Scene.each("notes/up-", 4));
        end(job, 143, launcher.signal("TERM")).tookLessThan(Duration.ofSeconds(30));
        scene.assertFiles(Scene.each("notes/saved-", 4));
    }

    /** As an MPIJob's launcher does with runLauncherAsWorker. */
    @ParameterizedTest
    @CsvSource({"first", "last"})
    void theLaunchersOwnHostNeedsNoServer(String place, Scene scene) {
        MpiJob job = job(scene).running(Components.requireMpi(), ALLREDUCE.toString(), "--steps", "2");
        String own = job.host(0).name() + " slots=2\n";
        Scene.write(hostfile(scene), place.equals("first") ? own + "far slots=1\n" : "far slots=1\n" + own);
        Result result = run(job, 0).says("host " + job.host(0).name() + " is this one");
        assertThat(result.output()).contains("2 on job-e2e-worker-0", "1 on job-e2e-worker-2");
    }

    @ParameterizedTest
    @CsvSource({"0", "1"})
    void aRankBesideTheLauncherFailsTheJobAsAnyOther(int failing, Scene scene) {
        MpiJob job = job(scene).script("[ $me = " + failing + " ] || exec sleep 600", "exit 3");
        Scene.write(hostfile(scene), "far slots=1\n" + job.host(0).shortName() + " slots=1\n");
        run(job, 3).doesNotSay("is lost");
    }

    @Test
    void aSignalLetsRanksBesideAnUnservedLauncherSave(Scene scene) {
        MpiJob job = job(scene)
                .with("--grace", "20s")
                .script("trap 'sleep 1; : > $notes/saved-$me; exit 0' TERM", ": > $notes/up-$me; sleep 600 & wait");
        Scene.write(hostfile(scene), "far slots=1\n" + job.host(0).address() + " slots=1\n");
        OnHost launcher = job.start(0);
        scene.awaitFiles(Scene.each("notes/up-", 2));
        end(job, 143, launcher.signal("TERM"));
        scene.assertFiles(Scene.each("notes/saved-", 2));
    }

    /** Apulis' launchers are on the first of their hosts. */
    @Test
    void ranksBesideTheLauncherAreToldOnce(Scene scene) {
        MpiJob job = job(scene)
                .with("--grace", "20s")
                .script(
                        "trap 'echo told >> $notes/saved-$me; told=yes' TERM",
                        ": > $notes/up-$me",
                        "until [ -n \"$told\" ]; do sleep 0.05; done",
                        "for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.2; done");
        Scene.write(hostfile(scene), job.host(0).shortName() + " slots=1\nfar slots=1\n");
        job.host(0).shell(SERVE.formatted(22));
        job.host(0).expectsFiles();
        OnHost launcher = job.start(0);
        scene.awaitFiles(Scene.each("notes/up-", 2));
        launcher.signal("TERM").await().endedWith(143);
        job.host(0).shell("kill $(cat /run/plain.pid)");
        end(job, 143, launcher);
        assertThat(Scene.read(job.note("saved-0"))).isEqualTo("told\n");
        assertThat(Scene.read(job.note("saved-1"))).isEqualTo("told\n");
    }

    @Test
    void ranksThatDoNotObeyAreGoneAfterTheGracePeriod(Scene scene) {
        MpiJob job = job(scene).with("--grace", "1s").script("trap '' TERM", ": > $notes/up-$me", "sleep 600");
        OnHost launcher = job.start(0);
        scene.awaitFiles(Scene.each("notes/up-", 4));
        end(job, 143, launcher.signal("TERM"));
    }

    /** The operator sets what mpirun calls instead of ssh, and with which arguments; its hosts may be known to that alone. */
    @Test
    void theMpiOperatorsWayToTheHostsIsTaken(Scene scene) {
        Path agent = scene.beside("agent");
        MpiJob job = MpiJob.onHosts(scene, 3)
                .set("MUSTER_PLATFORM", "mpijob")
                .set("MUSTER_LOG_DIR", TestHost.USER_HOME + "/modelarts/log")
                .set("K_MPI_JOB_ROLE", "launcher")
                .set("OMPI_MCA_orte_default_hostfile", hostfile(scene).toString())
                .set("OMPI_MCA_plm_rsh_agent", agent.toString())
                .set("OMPI_MCA_plm_rsh_args", "-o ConnectionAttempts=2")
                .script("echo \"$me on $(hostname)\"");
        Scene.write(hostfile(scene), "pod-1 slots=1\npod-2 slots=1\n");
        Scene.write(agent, """
                #!/bin/sh
                echo "$*" >>%s/calls
                [ "$1 $2" = '-o ConnectionAttempts=2' ] || exit 64
                host=job-e2e-worker-${3#pod-}
                shift 3
                exec ssh "$host" "$@"
                """.formatted(scene.beside("notes")));
        assertThat(agent.toFile().setExecutable(true, false)).isTrue();
        for (TestHost host : List.of(job.host(1), job.host(2))) {
            host.shell(SERVE.formatted(22));
            host.expectsFiles();
        }
        assertThat(run(job, 0).output()).contains("0 on job-e2e-worker-1", "1 on job-e2e-worker-2");
        assertThat(Scene.read(job.note("calls"))).contains("pod-1 ls").containsPattern("pod-2 +orted");
    }

    @Test
    void theMpiOperatorsWorkerIsNoJobOfItsOwn(Scene scene) {
        MpiJob job = MpiJob.onHosts(scene, 1)
                .set("MUSTER_PLATFORM", "mpijob")
                .set("K_MPI_JOB_ROLE", "worker")
                .running("/bin/true");
        job.start(0).await().endedWith(78).says("this is a worker of an MPIJob (K_MPI_JOB_ROLE)", "sshd");
        job.hosts().assertNothingIsLeft();
    }
}
