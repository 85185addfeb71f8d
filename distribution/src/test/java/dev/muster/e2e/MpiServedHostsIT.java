package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Jobs on hosts that run an sshd already, as the hosts of the MPI operator and of Apulis do. The only launcher is on the first host.
 * The ranks are on the others. One of them is known by an alias only.
 */
@ExtendWith(Scenes.class)
class MpiServedHostsIT {

    private static final Path ALLREDUCE = Product.project().resolve("examples/training/mpi_allreduce.py");

    private static final String SERVE = """
        ssh-keygen -q -t ed25519 -N '' -f /root/host_key
        printf 'HostKey /root/host_key\\nUsePAM no\\nPidFile /run/plain.pid\\n' >/root/plain
        /usr/sbin/sshd -f /root/plain -p %d
        """;

    /** A job on the launcher's host and two hosts with an sshd. */
    private static MpiJob job(Scene scene) {
        return serving(scene, 3, "near slots=2\nfar slots=2\n");
    }

    /** A job on one host with an sshd, and on the launcher's host, which needs none. */
    private static MpiJob besideTheLauncher(Scene scene) {
        return serving(scene, 2, "");
    }

    /** Starts an sshd on all hosts but the first. The last host is known by an alias only. */
    private static MpiJob serving(Scene scene, int count, String hosts) {
        MpiJob job = MpiJob.onHosts(scene, count)
                .with("-o", "sshd=none", "--hostfile", hostfile(scene).toString());
        Scene.write(hostfile(scene), hosts.replace("near", job.host(1).shortName()));
        for (int host = 1; host < count - 1; host++) {
            job.host(host).shell(SERVE.formatted(22));
        }
        job.host(count - 1).shell(SERVE.formatted(2022));
        know(job, "far", 2022);
        job.hosts().all().forEach(TestHost::expectsFiles);
        return job;
    }

    /** Adds an alias of the last host to the ssh configuration of the launcher's host, with the port of its sshd or a closed port. */
    private static void know(MpiJob job, String alias, int port) {
        String last = job.host(job.hosts().count() - 1).shortName();
        job.host(0)
                .shell("printf 'Host " + alias + "\\nHostName " + last + "\\nPort " + port
                        + "\\n' >>/home/ma-user/.ssh/config");
    }

    private static Path hostfile(Scene scene) {
        return scene.beside("hosts.txt");
    }

    /** Asserts the launcher's exit code, and that the job has left nothing but the sshd servers. */
    private static Result end(MpiJob job, int code, OnHost launcher) {
        Result result = launcher.await().endedWith(code);
        job.hosts().all().skip(1).forEach(host -> host.shell("kill $(cat /run/plain.pid)"));
        job.hosts().assertNothingIsLeft();
        return result;
    }

    private static Result run(MpiJob job, int code) {
        return end(job, code, job.start(0));
    }

    /** On each host one rank saves, and one ignores SIGTERM. */
    @Test
    void theRanksOfTheirHostsAddUpAndASignalLetsThemSaveButNotStayLongerThanTheGracePeriod(Scene scene) {
        MpiJob job = job(scene)
                .with("--grace", "15s")
                .script(
                        ": > $notes/begun-$me",
                        Components.requireMpi() + " '" + ALLREDUCE + "' --steps 2 || exit",
                        "case $me in 0 | 2) trap ': > $notes/saved-$me; exit 0' TERM ;; *) trap '' TERM ;;" + " esac",
                        "sleep 600 & : > $notes/up-$me; while :; do wait; sleep 600 & done");
        OnHost launcher = job.start(0);
        scene.awaitFiles(Scene.each("notes/begun-", 4));
        scene.awaitFiles(Scene.each("notes/up-", 4));
        Result result = end(job, 143, launcher.awaitOutput("job: ok: ").signal("TERM"));
        assertThat(result.output()).contains("job: ok: 4 ranks: 2 on job-e2e-worker-1, 2 on job-e2e-worker-2");
        scene.assertFiles("notes/saved-0", "notes/saved-2");
    }

    @Test
    void aHostWithAKeyThatNobodyKnowsEndsTheWaitAtOnceAndOthersThatAreNotThereInTimeAreNamed(Scene scene) {
        MpiJob job = besideTheLauncher(scene).set("MUSTER_INPUT_TIMEOUT", "3s").running("/bin/true");
        know(job, "shut", 2023);
        Scene.write(hostfile(scene), "shut slots=1\nfar slots=1\nghost slots=1\n");
        Result waited = job.start(0).await().endedWith(75);
        String reason = waited.messages().lines().reduce((first, last) -> last).orElseThrow();
        assertThat(reason).contains("shut", "refused", "ghost", "resolve").doesNotContain("far (");
        Scene.write(hostfile(scene), "far slots=1\n");
        job.host(0).shell("sed -i 's/StrictHostKeyChecking no/StrictHostKeyChecking yes/' /home/ma-user/.ssh/config");
        run(job.set("MUSTER_INPUT_TIMEOUT", "10m"), 75).says("host far", "known_hosts");
    }

    /** The launcher of an MPIJob has ranks beside it with runLauncherAsWorker. */
    @Test
    void theLaunchersOwnHostNeedsNoServer(Scene scene) {
        MpiJob job = besideTheLauncher(scene).script("echo \"$me on $(hostname)\"");
        Scene.write(hostfile(scene), job.host(0).name() + " slots=2\nfar slots=1\n");
        Result result = run(job, 0).says("host " + job.host(0).name() + " is this one");
        assertThat(result.output()).contains("0 on job-e2e-worker-0", "1 on job-e2e-worker-0", "2 on job-e2e-worker-1");
    }

    /** The launcher's host is the last of the list, as an address. mpirun gives its ranks one second, which may be too short to save. */
    @Test
    void aSignalEndsRanksBesideAnUnservedLauncher(Scene scene) {
        MpiJob job = besideTheLauncher(scene)
                .with("--grace", "60s")
                .script(
                        ": > $notes/begun-$me",
                        Components.requireMpi() + " '" + ALLREDUCE + "' --steps 2 || exit",
                        "sleep 600 & : > $notes/up-$me; wait");
        Scene.write(hostfile(scene), "far slots=1\n" + job.host(0).address() + " slots=2\n");
        OnHost launcher = job.start(0);
        scene.awaitFiles(Scene.each("notes/begun-", 3));
        scene.awaitFiles(Scene.each("notes/up-", 3));
        Result result = end(job, 143, launcher.awaitOutput("job: ok: ").signal("TERM"));
        assertThat(result.output()).contains("2 on job-e2e-worker-0", "1 on job-e2e-worker-1");
    }

    /** Rank 0 is on the other host, rank 1 beside the launcher. */
    @ParameterizedTest
    @CsvSource({"0, exit 3, 3", "1, kill -s KILL $$, 137"})
    void aRankBesideTheLauncherFailsTheJobAsAnyOther(int failing, String end, int code, Scene scene) {
        MpiJob job = besideTheLauncher(scene).script("[ $me = " + failing + " ] || exec sleep 600", end);
        Scene.write(hostfile(scene), "far slots=1\n" + job.host(0).shortName() + " slots=1\n");
        run(job, code).doesNotSay("is lost");
    }

    /** The launchers of Apulis are on the first host of their list. */
    @Test
    void ranksBesideTheLauncherAreToldOnce(Scene scene) {
        MpiJob job = besideTheLauncher(scene)
                .with("--grace", "60s")
                .script(
                        "trap 'echo told >> $notes/saved-$me; told=yes' TERM",
                        ": > $notes/up-$me",
                        "until [ -n \"$told\" ]; do sleep 0.05; done");
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

    /** The operator sets the program that mpirun calls instead of ssh, and its arguments. Only that program may know the hosts. */
    @Test
    void theMpiOperatorsWayToTheHostsIsTakenAndItsWorkerIsNoJobOfItsOwn(Scene scene) {
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
        new OnHost(job.launcher(1).set("K_MPI_JOB_ROLE", "worker").start())
                .await()
                .endedWith(78)
                .says("this is a worker of an MPIJob (K_MPI_JOB_ROLE)", "sshd");
        assertThat(run(job, 0).output()).contains("0 on job-e2e-worker-1", "1 on job-e2e-worker-2");
        assertThat(Scene.read(job.note("calls"))).contains("pod-1 ls").containsPattern("pod-2 +orted");
    }
}
