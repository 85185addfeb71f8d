package dev.muster.runtime.supervise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.LeftRun;
import dev.muster.runtime.files.RunDirectory;
import dev.muster.runtime.files.RunRecord;
import dev.muster.runtime.files.RunRecord.Machine;
import dev.muster.runtime.files.RunRecord.Owner;
import dev.muster.runtime.output.Waits;
import dev.muster.runtime.process.ProcessId;
import dev.muster.runtime.process.ProcessTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EarlierRunsTest {

    private static final Owner DEAD = new Owner(4_194_303, 1);
    private static final Machine HERE = Machine.here();
    private static final Machine OTHER_CONTAINER = new Machine(HERE.boot(), "pid:[1]");
    private static final String NOBODY = "0123456789abcdef0123456789abcdef";

    @TempDir
    private Path base;

    private final List<String> said = new ArrayList<>();
    private final AtomicLong now = new AtomicLong();
    private final List<Process> started = new ArrayList<>();
    private RunDirectory own;

    @BeforeEach
    void makeOwn() {
        own = RunDirectory.of(Map.of(), List.of(base.toString()));
        own.path();
        own.record(record("job", "node-0", HERE, DEAD, Optional.empty()));
    }

    @AfterEach
    void endAll() {
        started.forEach(Process::destroyForcibly);
        own.close();
    }

    @Test
    @DisplayName("5.1 a run of the same part whose warden lives is waited for, and its directory left alone until then")
    void theEndOfARunWithoutLauncherIsWaitedFor() throws IOException {
        Process warden = start("sleep", "600");
        Path other = other("one", record("job", "node-0", HERE, DEAD, Optional.of(owner(warden))));
        int[] pauses = {0};
        assertThat(areOver(pause -> {
                    assertThat(other.resolve("key")).exists();
                    pauses[0]++;
                    if (pauses[0] == 3) {
                        warden.destroyForcibly().onExit().join();
                    }
                    return true;
                }))
                .isTrue();
        assertThat(pauses[0]).isEqualTo(3);
        assertThat(other).doesNotExist();
        assertThat(said).hasSize(2);
        assertThat(said.get(0))
                .startsWith("an earlier run of job job (node-0) is still ending: its launcher (pid " + DEAD.pid()
                        + ") was killed, and what it has started has a grace period of 3s; there is still")
                .endsWith("; waiting up to 13s");
        assertThat(said.get(1)).isEqualTo("the earlier run has ended");
    }

    @Test
    @DisplayName("5.2 what has not ended 10 s after its grace period is a refusal with 75 that names it")
    void aRunThatDoesNotEndIsARefusal() throws IOException {
        Process warden = start("sleep", "600");
        Path other = other("one", record("job", "node-0", HERE, DEAD, Optional.of(owner(warden))));
        assertThatThrownBy(() -> areOver(pause -> {
                    now.addAndGet(pause.toNanos());
                    return true;
                }))
                .isInstanceOfSatisfying(
                        MusterException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.TEMPORARY))
                .hasMessageContainingAll("job job (node-0)", "not ended within 13s", "(pid " + warden.pid() + ")");
        assertThat(Duration.ofNanos(now.get())).isBetween(Duration.ofSeconds(13), Duration.ofMillis(13_200));
        assertThat(other.resolve("key")).exists();
    }

    @Test
    @DisplayName(
            "13.2 what a run has left whose launcher and warden were both killed is ended, whether marked or only written down")
    void ranksWithoutWardenAreEnded() throws IOException {
        String marker = "fedcba9876543210fedcba9876543210";
        ProcessBuilder builder = new ProcessBuilder("sleep", "600");
        builder.environment().put("MUSTER_JOB", marker);
        Process marked = builder.start();
        started.add(marked);
        Process leader = start("setsid", "--wait", "env", "-i", "/bin/sleep", "600");
        RunRecord record = new RunRecord(
                "job",
                "node-0",
                HERE,
                DEAD,
                Optional.empty(),
                Optional.of(DEAD),
                Duration.ofSeconds(3),
                marker,
                Set.of(),
                List.of(owner(leader), new Owner(1, 1), DEAD));
        Path other = other("one", record);
        assertThat(areOver(this::passes)).isTrue();
        assertThat(marked.isAlive()).isFalse();
        assertThat(leader.isAlive()).isFalse();
        assertThat(leader.descendants()).isEmpty();
        assertThat(other).doesNotExist();
        assertThat(said.get(0)).contains("there is still", "process " + marked.pid() + " (sleep)");
    }

    @Test
    @DisplayName(
            "5.1b whoever is to end the run but stands still goes on: a warden, or a launcher without its start script")
    void whoStandsStillGoesOn() throws IOException {
        Process launcher = start("sh", "-c", "kill -STOP $$");
        Process warden = start("sh", "-c", "kill -STOP $$");
        RunRecord record = new RunRecord(
                "job",
                "node-0",
                HERE,
                owner(launcher),
                Optional.of(DEAD),
                Optional.of(owner(warden)),
                Duration.ofSeconds(3),
                NOBODY,
                Set.of(),
                List.of());
        Path other = other("one", record);
        assertThat(areOver(this::passes)).isTrue();
        assertThat(launcher.isAlive()).isFalse();
        assertThat(warden.isAlive()).isFalse();
        assertThat(other).doesNotExist();
    }

    @Test
    @DisplayName("5.1 a launcher that is told to stop waits no longer")
    void aStopEndsTheWait() throws IOException {
        other("one", record("job", "node-0", HERE, DEAD, Optional.of(owner(start("sleep", "600")))));
        assertThat(areOver(pause -> false)).isFalse();
    }

    @Test
    @DisplayName("5.1 a launcher whose start script was killed is on its way out, and is waited for")
    void aLauncherWithoutItsGuardIsWaitedFor() throws IOException {
        Process launcher = start("sleep", "600");
        RunRecord record = new RunRecord(
                "job",
                "node-0",
                HERE,
                owner(launcher),
                Optional.of(DEAD),
                Optional.empty(),
                Duration.ofSeconds(3),
                NOBODY,
                Set.of(),
                List.of());
        Path other = other("one", record);
        assertThat(areOver(pause -> {
                    launcher.destroyForcibly().onExit().join();
                    return true;
                }))
                .isTrue();
        assertThat(other).doesNotExist();
        assertThat(said).hasSize(2);
    }

    @Test
    @DisplayName("5.3 whose launcher lives, and whose warden lives, is left alone; what is dead is removed")
    void othersAreLeftAloneWhileTheyLive() throws IOException {
        Owner alive = owner(start("sleep", "600"));
        Owner reused = new Owner(alive.pid(), alive.start() + 1);
        Path sameGoesOn = other("one", record("job", "node-0", HERE, alive, Optional.empty()));
        Path otherEnds = other("two", record("other", "node-0", HERE, DEAD, Optional.of(alive)));
        Path otherNode = other("three", record("job", "node-1", HERE, DEAD, Optional.of(alive)));
        Path dead = other("four", record("job", "node-0", HERE, DEAD, Optional.of(DEAD)));
        Path reusedNumbers = other("five", record("other", "node-0", HERE, reused, Optional.of(reused)));
        Path nobodys = Files.createDirectory(base.resolve("muster-nobodys"));
        assertThat(areOver(pause -> false)).isTrue();
        assertThat(List.of(sameGoesOn, otherEnds, otherNode, nobodys)).allMatch(Files::isDirectory);
        assertThat(List.of(dead, reusedNumbers)).noneMatch(Files::exists);
        assertThat(said).isEmpty();
    }

    @Test
    @DisplayName(
            "5.4 in another container, or one that was started again, locks tell who lives, not numbers of processes")
    void locksTellWhoLivesInOtherContainers() throws Exception {
        Owner alive = owner(start("sleep", "600"));
        Path ended = other("one", record("job", "node-0", OTHER_CONTAINER, alive, Optional.of(alive)));
        Files.writeString(RunDirectory.wardenLock(ended), "flock\n");
        Path ending = other("two", record("job", "node-0", OTHER_CONTAINER, DEAD, Optional.of(DEAD)));
        Path lock = Files.writeString(RunDirectory.wardenLock(ending), "locked\n");
        Process warden = start("flock", "-n", lock.toString(), "sh", "-c", "echo; exec sleep 600");
        assertThat(warden.getInputStream().read()).isEqualTo('\n');
        Path unknown = other("three", record("job", "node-0", OTHER_CONTAINER, DEAD, Optional.of(DEAD)));
        Files.writeString(RunDirectory.wardenLock(unknown), "");
        Path neverStarted = other("four", record("job", "node-0", OTHER_CONTAINER, alive, Optional.empty()));
        Path goesOn = other("five", record("job", "node-0", OTHER_CONTAINER, DEAD, Optional.of(DEAD)));
        Process launcher = start(
                "python3",
                "-c",
                "import fcntl,sys,time; f = open(sys.argv[1], 'r+'); fcntl.lockf(f, fcntl.LOCK_EX); print(flush=True);"
                        + " time.sleep(600)",
                goesOn.resolve(".running").toString());
        assertThat(launcher.getInputStream().read()).isEqualTo('\n');
        assertThat(areOver(pause -> {
                    assertThat(ending.resolve("key")).exists();
                    warden.descendants().forEach(ProcessHandle::destroyForcibly);
                    warden.destroyForcibly().onExit().join();
                    return true;
                }))
                .isTrue();
        assertThat(List.of(ended, ending, neverStarted)).noneMatch(Files::exists);
        assertThat(List.of(unknown, goesOn)).allMatch(Files::isDirectory);
    }

    @Test
    @DisplayName("5.4 what was there before the machine was started is over")
    void whatIsOlderThanTheMachineIsOver() throws IOException {
        Owner alive = owner(start("sleep", "600"));
        Machine before = new Machine("another-boot", HERE.pidNamespace());
        Path old = other("one", record("job", "node-0", before, alive, Optional.of(alive)));
        Path unknown = other("two", record("job", "node-0", new Machine("", ""), alive, Optional.of(alive)));
        assertThat(areOver(pause -> false)).isTrue();
        // On a file system that other machines have too, it may be one of theirs.
        assertThat(Files.exists(old)).isEqualTo(!LeftRun.isOnThisMachine(base));
        assertThat(unknown).isDirectory();
    }

    /** The clock of the test goes as fast as that of the processes. */
    private boolean passes(Duration pause) {
        now.addAndGet(pause.toNanos());
        LockSupport.parkNanos(pause.toNanos());
        return true;
    }

    private boolean areOver(Predicate<Duration> goOnAfter) {
        RunRecord record = record("job", "node-0", HERE, DEAD, Optional.empty());
        return new EarlierRuns(record, own, goOnAfter, now::get, Waits.inLines(said::add, now::get)).areOver();
    }

    private Path other(String name, RunRecord record) throws IOException {
        try (RunDirectory made = RunDirectory.of(Map.of(), List.of(base.toString()))) {
            made.path();
            made.record(record);
            record.warden().ifPresent(made::recordWarden);
            Path copy = Files.createDirectory(base.resolve("muster-" + name));
            Files.copy(made.path().resolve(".running"), copy.resolve(".running"));
            Files.writeString(copy.resolve("key"), "secret");
            return copy;
        }
    }

    private Process start(String... command) throws IOException {
        Process process = new ProcessBuilder(command).start();
        started.add(process);
        return process;
    }

    private static Owner owner(Process process) {
        ProcessId id = ProcessTable.identify(process.pid()).orElseThrow();
        return new Owner(id.pid(), id.start());
    }

    private static RunRecord record(String job, String part, Machine machine, Owner launcher, Optional<Owner> warden) {
        return new RunRecord(
                job,
                part,
                machine,
                launcher,
                Optional.empty(),
                warden,
                Duration.ofSeconds(3),
                NOBODY,
                Set.of(),
                List.of());
    }
}
