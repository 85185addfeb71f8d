package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Jobs of the engine {@code mpi} with the real mpirun and sshd on several hosts that end without a stop. */
@ExtendWith(Scenes.class)
class MpiIT {

    /** A warning of mpirun on a busy machine: its ssh runs before mpirun has put it into its own process group. */
    private static final Pattern SLOW_PARENT =
            Pattern.compile("\\A(\\[[^]]+\\] plm:rsh: Warning: setpgid\\([^\n]*\n)+");

    private static final Path ALLREDUCE = Product.project().resolve("examples/training/mpi_allreduce.py");

    /**
     * All ranks end here. If several ranks end at the same time, Open MPI 4 does not say which one failed. In {@link LinkFateIT} the
     * others go on while one rank ends with an exit code.
     */
    @Test
    void theCodeOfARankIsTheCodeOfAllLaunchersAndTheRankIsNamed(Scene scene) {
        MpiJob job = MpiJob.onHosts(scene, 2);
        job.script("[ $me = 2 ] || exec true", "kill -s KILL $$")
                .run(137)
                .forEach(result -> result.says("rank 2", job.host(1).shortName()));
    }

    @Test
    void rootMayRunAJob(Scene scene) {
        MpiJob job = MpiJob.onHosts(scene, 2).asRoot().script("exit 3");
        OnHost[] launchers = job.startAll();
        Result first = launchers[0].await().endedWith(3);
        assertThat(first.messages().lines().filter(line -> line.contains("uid 0")))
                .as("lines about uid 0 of: %s", first)
                .hasSize(1);
        job.end(3, launchers[1]);
    }

    @Test
    void aCommandThatIsNowhereIsNotFoundOnAnyHost(Scene scene) {
        List<Result> results = MpiJob.onHosts(scene, 2)
                .with("--restarts", "2")
                .running("/no/such/program")
                .run(127);
        results.forEach(result -> result.says("/no/such/program").doesNotSay("run 2 begins"));
    }

    /** The test kills the start script, which Muster reports as mpirun. The real mpirun is its child, and ends ranks within a second. */
    @DisplayName("ranks of all hosts get one SIGTERM, and the grace, when the parent of mpirun is killed")
    @Test
    void ranksOfAKilledMpirunHaveTheGrace(Scene scene) {
        MpiJob job = MpiJob.onHosts(scene, 2)
                .with("--grace", "10m")
                .script(
                        "trap 'echo TERM >> $notes/told-$me; sleep 3; : > $notes/saved-$me; exit 0' TERM",
                        MpiJob.READY,
                        "while :; do sleep 0.1; done");
        OnHost[] launchers = job.startAll();
        job.awaitNotes("ready");
        job.host(0).shell("kill -s KILL $(grep -sl '/start[.]sh' /proc/[0-9]*/cmdline | cut -d / -f 3)");
        List<Result> results = job.end(137, launchers);
        results.forEach(result -> result.says("mpirun"));
        job.assertNotes("saved", results);
        job.assertToldOnce(job.ranks(), results);
    }

    @DisplayName("a rank that fails because it cannot print after mpirun was killed is not the first failure")
    @Test
    void aRankThatCannotPrintSinceMpirunWasKilledIsNotTheCause(Scene scene) {
        MpiJob job = MpiJob.onHosts(scene, 1)
                .script(": > $notes/ready-$me; while :; do echo $me || exit 3; sleep 0.02; done");
        OnHost launcher = job.start(0);
        job.awaitNotes("ready");
        job.host(0).shell("kill -s KILL $(grep -slx mpirun /proc/[0-9]*/comm | cut -d / -f 3)");
        job.end(137, launcher).get(0).says("mpirun", "SIGKILL").doesNotSay("rank 0 (", "rank 1 (");
    }

    @Test
    void aHostThatLacksTheCommandTellsTheOthers(Scene scene) {
        MpiJob job = MpiJob.onHosts(scene, 2).running("/home/ma-user/train");
        job.host(0).shell("cp /bin/true /home/ma-user/train");
        job.host(0).expectsFiles();
        OnHost first = job.start(0);
        job.start(1).await().endedWith(127).says("/home/ma-user/train");
        job.end(127, first).get(0).says(job.host(1).shortName(), "/home/ma-user/train");
    }

    @Test
    void oneHostNeedsNeitherSshNorKeys(Scene scene) {
        MpiJob job = MpiJob.onHosts(scene, 1)
                .script(": > $notes/up-$me", "until [ -e $notes/go ]; do sleep 0.02; done", "echo \"$me was here\"");
        job.host(0).shell("rm -r /home/ma-user/.ssh /root/.ssh");
        OnHost launcher = job.start(0);
        job.awaitNotes("up");
        assertThat(job.host(0).runs("mpirun")).isTrue();
        assertThat(job.host(0).runs("sshd")).isFalse();
        Scene.write(job.note("go"), "");
        assertThat(launcher.await().endedWith(0).output()).contains("0 was here", "1 was here");
    }

    @Test
    void hostsAndNamesThatComeLateAreAwaitedAndSixRanksOnThreeHostsAddUp(Scene scene) {
        MpiJob job = MpiJob.onHosts(scene, 3).running(Components.requireMpi(), ALLREDUCE.toString(), "--steps", "5");
        TestHost late = job.host(2);
        job.host(0).forgets(late.name());
        OnHost first = job.start(0).awaitMessage("1 of 3 nodes are here");
        OnHost second = job.start(1);
        first.awaitMessage("2 of 3 nodes are here").awaitMessage(late.shortName());
        OnHost third = job.start(2);
        job.host(0).learns(late.name(), late.address());
        List<Result> results = job.end(0, first, second, third);
        String placed = "job: ok: 6 ranks: 2 on job-e2e-worker-0, 2 on job-e2e-worker-1, 2 on job-e2e-worker-2";
        assertThat(results.get(0).output()).contains(placed).containsOnlyOnce("rank 5: ok: ");
        assertThat(results.get(1).output() + results.get(2).output()).doesNotContain("ok:");
    }

    @Test
    void theLogHoldsWhatRanksPrintByteForByteAndAJobRunsAgainInTheSameContainers(Scene scene) throws IOException {
        MpiJob job = MpiJob.onHosts(scene, 2)
                .script(": > $notes/run-$me", "[ $me != 3 ] || printf 'a\\r\\377\\000%%s\\\\n b'");
        // The platform's own script leaves these files.
        String stale =
                "cd /home/ma-user; echo 10.77.0.10 slots=2 > hostfile; echo '-x MA_NUM_GPUS=9' > env_for_user_process;"
                        + " chown 1000:100 hostfile env_for_user_process";
        job.hosts().all().forEach(host -> {
            host.shell(stale);
            host.expectsFiles();
        });
        job.assertNotes("run", job.run(0));
        assertLogIs(job.host(0), "a\r\u00ff\u0000%s\\n b");
        for (String note : Scene.each("run-", job.ranks())) {
            Files.delete(job.note(note));
        }
        job.assertNotes("run", job.run(0));
    }

    private static void assertLogIs(TestHost host, String printed) throws IOException {
        List<Path> logs = new ArrayList<>();
        try (var found = Files.newDirectoryStream(host.file(TestHost.LOGS), "*mpirun*.txt")) {
            found.forEach(logs::add);
        }
        assertThat(logs).hasSize(1);
        String log = Files.readString(logs.get(0), StandardCharsets.ISO_8859_1);
        assertThat(SLOW_PARENT.matcher(log).replaceFirst("")).isEqualTo(printed);
    }
}
