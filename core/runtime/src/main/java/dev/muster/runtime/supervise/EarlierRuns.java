package dev.muster.runtime.supervise;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.LeftRun;
import dev.muster.runtime.files.RunDirectory;
import dev.muster.runtime.files.RunRecord;
import dev.muster.runtime.output.Waiting;
import dev.muster.runtime.output.Waits;
import dev.muster.runtime.process.FileLocks;
import dev.muster.runtime.process.LiveProcess;
import dev.muster.runtime.process.ProcessId;
import dev.muster.runtime.process.ProcessTable;
import dev.muster.runtime.process.RunMarker;
import dev.muster.runtime.text.Durations;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Runs whose launchers were killed. Where the ranks of one are still in their grace period, the same part of the same job waits for
 * their end; others are left alone. What is left of those that are over is removed.
 */
final class EarlierRuns {

    /** The warden kills after the grace period; it, and what dies then, takes its time on a busy machine. */
    private static final Duration BEYOND_GRACE = Duration.ofSeconds(10);

    /** A launcher whose run is over writes its result, and may stay for others after that. */
    private static final Duration TO_TELL = Duration.ofSeconds(3);

    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final int SHOWN = 5;

    private final RunRecord own;
    private final RunDirectory directory;
    private final Predicate<Duration> goOnAfter;
    private final LongSupplier nanoClock;
    private final Waits waits;

    /** What becomes of a run. */
    private enum State {
        /** Its launcher lives. */
        GOES_ON,
        /** Its launcher was killed, but not all that it has started has ended. */
        ENDS,
        OVER,
        /** It was started in another container, and nobody can tell whether it lives there. */
        UNKNOWN
    }

    /**
     * @param own record of this run
     * @param directory of this run; it is there
     * @param goOnAfter lets time pass; false when the launcher was told to stop
     */
    EarlierRuns(
            RunRecord own, RunDirectory directory, Predicate<Duration> goOnAfter, LongSupplier nanoClock, Waits waits) {
        this.own = own;
        this.directory = directory;
        this.goOnAfter = goOnAfter;
        this.nanoClock = nanoClock;
        this.waits = waits;
    }

    /**
     * Waits until none of this part of the job is left whose launcher is dead.
     *
     * @return false when the launcher was told to stop meanwhile
     * @throws MusterException {@link ExitCode#TEMPORARY} when one does not end
     */
    boolean areOver() {
        for (Map.Entry<Path, RunRecord> each : directory.others().entrySet()) {
            Path place = each.getKey();
            RunRecord record = each.getValue();
            boolean isOurs = record.isOf(own.job(), own.part());
            if (isOurs && state(place, record) == State.ENDS && !awaitEnd(place, record)) {
                return false;
            }
            if (state(place, record) == State.OVER) {
                LeftRun.removeLeft(place);
            }
        }
        directory.madePath().ifPresent(LeftRun::removeUnused);
        return true;
    }

    private boolean awaitEnd(Path place, RunRecord record) {
        Duration limit = record.grace().plus(BEYOND_GRACE);
        try (Waiting waiting = waits.upTo(limit)) {
            return awaitEnd(place, record, limit, waiting);
        }
    }

    private boolean awaitEnd(Path place, RunRecord record, Duration limit, Waiting waiting) {
        long begin = nanoClock.getAsLong();
        Heir heir = new Heir(nanoClock);
        while (Files.exists(place) && state(place, record) == State.ENDS) {
            // Who is told to end now may not be there any more when that is said.
            String rest = rest(record);
            if (nanoClock.getAsLong() - begin >= limit.toNanos()) {
                throw new MusterException(
                        ExitCode.TEMPORARY,
                        "the earlier run of " + words(record) + ", whose launcher (pid " + pid(record)
                                + ") was killed, has not ended within " + Durations.format(limit) + "; there is still "
                                + rest + ". End it, or start the job again later");
            }
            if (isOrphaned(record)) {
                heir.takeOver(place);
            } else if (own.machine().isSame(record.machine())) {
                heir.wake(record);
            }
            waiting.lasts(() -> "an earlier run of " + words(record) + " is still ending: its launcher (pid "
                    + pid(record) + ") was killed, and what it has started has a grace period of "
                    + Durations.format(record.grace()) + "; there is still " + rest);
            if (!goOnAfter.test(PAUSE)) {
                return false;
            }
        }
        waits.say("the earlier run has ended");
        return hasTold(record);
    }

    /** Its launcher may still be writing how it ended, to files that this run is to have; nobody waits for long for that. */
    private boolean hasTold(RunRecord record) {
        long begin = nanoClock.getAsLong();
        while (own.machine().isSame(record.machine())
                && Heir.isThere(record.launcher())
                && nanoClock.getAsLong() - begin < TO_TELL.toNanos()) {
            if (!goOnAfter.test(PAUSE)) {
                return false;
            }
        }
        return true;
    }

    private State state(Path place, RunRecord record) {
        if (own.machine().isSame(record.machine())) {
            return stateHere(record);
        }
        if (!RunDirectory.isGivenUp(place)) {
            return State.GOES_ON;
        }
        if (own.machine().isOtherBoot(record.machine())) {
            return LeftRun.isOnThisMachine(place) ? State.OVER : State.UNKNOWN;
        }
        if (!own.machine().isSameBoot(record.machine())) {
            return State.UNKNOWN;
        }
        // Another container: one that was started anew, or another one with the same volume.
        return record.warden().isEmpty()
                ? State.OVER
                : wardenLives(place)
                        .map(lives -> lives ? State.ENDS : State.OVER)
                        .orElse(State.UNKNOWN);
    }

    /** The file is empty where the lock could not be taken. */
    private static Optional<Boolean> wardenLives(Path place) {
        Path lock = RunDirectory.wardenLock(place);
        return lock.toFile().length() == 0 ? Optional.empty() : FileLocks.isHeld(lock);
    }

    private static State stateHere(RunRecord record) {
        // A launcher whose guard was killed is on its way out.
        boolean isKilled = record.guard().filter(guard -> !Heir.isThere(guard)).isPresent();
        if (Heir.isThere(record.launcher())) {
            return isKilled ? State.ENDS : State.GOES_ON;
        }
        boolean isLeft = record.warden().filter(Heir::isThere).isPresent()
                || !processes(record).isEmpty();
        return isLeft ? State.ENDS : State.OVER;
    }

    /** Whether nobody is left who would end what the run has started, in this container. */
    private boolean isOrphaned(RunRecord record) {
        return own.machine().isSame(record.machine())
                && !Heir.isThere(record.launcher())
                && record.warden().filter(Heir::isThere).isEmpty();
    }

    /** Those that it has started, with their groups, and who carries its marker. */
    private static List<LiveProcess> processes(RunRecord record) {
        ProcessTable table = new ProcessTable(new RunMarker(record.marker()));
        List<ProcessId> leaders = Heir.leaders(record);
        leaders.forEach(table::adopt);
        return table.find(leaders.stream().map(ProcessId::pid).toList());
    }

    /** What a user knows the launcher by. */
    private static long pid(RunRecord record) {
        return record.guard().orElse(record.launcher()).pid();
    }

    /** Who keeps the run from being over. */
    private String rest(RunRecord record) {
        Optional<String> warden = record.warden()
                .filter(Heir::isThere)
                .map(owner -> "the process that ends the others (pid " + owner.pid() + ")");
        String processes = processes(record).stream()
                .limit(SHOWN)
                .map(process -> process.pid() + " (" + process.name() + ")")
                .collect(Collectors.joining(", "));
        String those = processes.isEmpty() ? unseen(record) : "process " + processes;
        return warden.map(shell -> processes.isEmpty() ? shell : shell + ", and " + those)
                .orElse(those);
    }

    private String unseen(RunRecord record) {
        return own.machine().isSame(record.machine()) ? "what ends just now" : "a process of another container";
    }

    private static String words(RunRecord record) {
        return "job " + record.job() + " (" + record.part() + ")";
    }
}
