package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stops of jobs of the engine {@code mpi} on several hosts. */
@ExtendWith(Scenes.class)
class MpiStopIT {

    /** A rank that needs 3 s to save. mpirun alone would give it a quarter of a second. */
    private static final String SAVING = "trap 'sleep 3; : > $notes/saved-$me; exit 0' TERM";

    private static final String READY = ": > $notes/ready-$me; sleep 600 & wait";

    /** Tests below signal the worker's launcher. {@link LinkFateIT} has three hosts, and signals to all launchers at once. */
    @Test
    void aSignalToOneLauncherLetsTheRanksOfAllHostsSave(Scene scene) {
        MpiJob job = MpiJob.onHosts(scene, 2).with("--grace", "30s").script(SAVING, READY);
        OnHost[] launchers = job.startAll();
        job.awaitNotes("ready");
        launchers[0].signal("TERM");
        job.assertNotes("saved", job.end(143, launchers));
    }

    /** Each host has two ranks. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName(
            "--checkpoint-signal and then SIGTERM reach the ranks of all hosts; a rank that dies of it is no failure")
    void theCheckpointSignalReachesTheRanksOfAllHosts(boolean isHandled, Scene scene) {
        String[] saving = {
            "trap ': > $notes/asked-$me' USR1", "trap '[ ! -e $notes/asked-$me ] || : > $notes/saved-$me; exit 0' TERM",
        };
        MpiJob job = MpiJob.onHosts(scene, 2)
                .with("--grace", isHandled ? "4s" : "10m", "--checkpoint-signal", "USR1")
                .script(
                        isHandled ? String.join("\n", saving) : ":",
                        ": > $notes/ready-$me",
                        "while :; do sleep 0.1; done");
        OnHost[] launchers = job.startAll();
        job.awaitNotes("ready");
        launchers[1].signal("TERM");
        List<Result> results = job.end(143, launchers);
        if (isHandled) {
            job.assertNotes("asked", results);
            job.assertNotes("saved", results);
        }
        results.forEach(result -> result.says("SIGUSR1 to"));
    }

    private static void assertToldOnceAndSaved(MpiJob job, List<Result> results, int... ranks) {
        for (int rank : ranks) {
            assertThat(job.note("told-" + rank))
                    .as("launchers ended: %s", results)
                    .hasContent("TERM");
            assertThat(job.note("saved-" + rank))
                    .as("launchers ended: %s", results)
                    .exists();
        }
    }

    /** mpirun alone would end all other ranks when one ends by a signal, or with a code other than 0. */
    @Test
    @DisplayName("in a stop the ranks on mpirun's host have the grace, however ranks of other hosts end")
    void ranksThatSaveNothingCostThoseOfOtherHostsNothing(Scene scene) {
        MpiJob job = MpiJob.onHosts(scene, 2)
                .with("--grace", "10m")
                .script(
                        "case $me in [01]) trap 'echo TERM >> $notes/told-$me; sleep 4; : > $notes/saved-$me; exit 0' TERM ;; esac",
                        MpiJob.READY,
                        "while :; do sleep 0.1; done");
        OnHost[] launchers = job.startAll();
        job.awaitNotes("ready");
        launchers[1].signal("TERM");
        List<Result> results = job.end(143, launchers);
        job.assertToldOnce(2, results);
        for (int rank = 0; rank < 2; rank++) {
            assertThat(job.note("saved-" + rank))
                    .as("launchers ended: %s", results)
                    .exists();
        }
    }

    /** mpirun takes the end of such a rank for a failure if it is the last rank of its host. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    @DisplayName("ranks that end without MPI_Finalize do not shorten the grace of ranks on another host")
    void ranksWithoutMpiFinalizeCostThoseOfOtherHostsNothing(int saving, Scene scene) {
        Scene.write(scene.beside("program.py"), """
                import os, signal, sys, time
                from mpi4py import MPI

                notes, saving = sys.argv[1], int(sys.argv[2])
                me = MPI.COMM_WORLD.rank

                def save(*_):
                    with open(f"{notes}/told-{me}", "a") as told:
                        told.write("TERM\\n")
                    time.sleep(4)
                    open(f"{notes}/saved-{me}", "w").close()
                    os._exit(0)

                if me // 2 == saving:
                    signal.signal(signal.SIGTERM, save)
                time.sleep(0.3)
                open(f"{notes}/ready-{me}", "w").close()
                while True:
                    time.sleep(0.1)
                """);
        MpiJob job = MpiJob.onHosts(scene, 2)
                .with("--grace", "10m")
                .script("exec " + Components.requireMpi() + " " + scene.beside("program.py") + " $notes " + saving);
        OnHost[] launchers = job.startAll();
        job.awaitNotes("ready");
        launchers[1].signal("TERM");
        List<Result> results = job.end(143, launchers);
        assertToldOnceAndSaved(job, results, 2 * saving, 2 * saving + 1);
    }

    /** mpirun ends the other ranks itself. Muster takes the end of mpirun for a stop on all hosts. */
    @Test
    void aRankThatSigtermEndsStopsTheJobOnAllHosts(Scene scene) {
        MpiJob job = MpiJob.onHosts(scene, 2)
                .script(
                        ": > $notes/ready-$me",
                        "if [ $me = 3 ]; then until [ -e $notes/go ]; do sleep 0.02; done; kill -s TERM $$; fi",
                        "exec sleep 600");
        OnHost[] launchers = job.startAll();
        job.awaitNotes("ready");
        Scene.write(job.note("go"), "");
        for (Result result : job.end(143, launchers)) {
            result.says("rank 3", job.host(1).shortName(), "had not sent this SIGTERM");
        }
    }

    @Test
    void launchersThatAreTheFirstProcessesOfTheirContainersObeySignals(Scene scene) {
        MpiJob job = MpiJob.onHosts(scene, 2).script("trap ': > $notes/saved-$me; exit 0' TERM", READY);
        OnHost worker = job.startAsFirstProcess(1);
        OnHost first = job.startAsFirstProcess(0);
        job.awaitNotes("ready");
        first.signal("TERM");
        List<Result> results =
                List.of(first.await().endedWith(143), worker.await().endedWith(143));
        job.assertNotes("saved", results);
        job.hosts().all().forEach(host -> assertThat(host.processes()).isEmpty());
    }

    @Test
    void aSignalWhileAHostIsAwaitedEndsThoseThatAreThere(Scene scene) {
        MpiJob job = MpiJob.onHosts(scene, 3).running("/bin/true");
        for (int signalled = 0; signalled < 2; signalled++) {
            OnHost[] there = {job.start(0), job.start(1)};
            there[0].awaitMessage("2 of 3 nodes are here");
            there[signalled].signal("TERM");
            job.end(143, there);
        }
    }

    /** No rank runs yet, so mpirun's shell does not wait for ranks. */
    @Test
    void aSignalWhileANameIsAwaitedNeedsNoGracePeriod(Scene scene) {
        MpiJob job = MpiJob.onHosts(scene, 2).with("--grace", "10m").running("/bin/true");
        job.host(0).forgets(job.host(1).name());
        OnHost[] launchers = job.startAll();
        launchers[0].awaitOutput("its name does not resolve on this host");
        launchers[1].signal("TERM");
        job.end(143, launchers);
    }

    @DisplayName("ranks of all hosts that do not end by SIGTERM get it once, and SIGKILL after the grace")
    @Test
    void ranksThatDoNotObeyAreKilledAfterTheGracePeriod(Scene scene) {
        MpiJob job = MpiJob.onHosts(scene, 2)
                .with("--grace", "2s")
                .script("trap 'echo TERM >> $notes/told-$me' TERM", MpiJob.READY, "while :; do sleep 600; done");
        OnHost[] launchers = job.startAll();
        job.awaitNotes("ready");
        launchers[1].signal("TERM");
        job.assertToldOnce(job.ranks(), job.end(143, launchers));
    }

    /** The platform deletes a job at any moment: while launchers start or wait for hosts, while ranks run, or while launchers end. */
    @Tag("repeated")
    @Test
    void aJobThatIsDeletedAtAnyMomentLeavesNothing(Scene scene) {
        MpiJob job = MpiJob.onHosts(scene, 2).script("sleep 0.5");
        int runs = Repetitions.orElse(2);
        for (int run = 0; run < runs; run++) {
            OnHost[] launchers = job.startAll();
            Await.holdsWithin(Duration.ofMillis(200 + 2000L * run / runs), () -> false);
            Arrays.stream(launchers).filter(OnHost::isRunning).forEach(launcher -> launcher.signal("TERM"));
            for (OnHost launcher : launchers) {
                Result result = launcher.await();
                assertThat(result.exitCode()).as(result.toString()).isIn(143, 0);
            }
            job.hosts().assertNothingIsLeft();
        }
    }
}
