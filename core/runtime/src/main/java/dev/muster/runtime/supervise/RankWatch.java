package dev.muster.runtime.supervise;

import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.report.Cause;
import dev.muster.spi.HostedRanks;
import dev.muster.spi.Placement;
import dev.muster.spi.ProcessSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Knows the ranks that processes of the plan host, by what they note: which of them run here, and which has failed first. Only the
 * event loop touches it.
 *
 * <p>A rank that SIGTERM or SIGKILL ended may be the origin, or have been ended by its mpirun because of something else. Its note may
 * tell, since an mpirun ends all ranks of a host; else it is decided by what ends the job, and when nothing does, it was the origin.
 */
final class RankWatch {

    private static final long PAUSE = Duration.ofMillis(20).toNanos();
    private static final long PAUSE_BETWEEN_LOOKS_AT_PROCESSES =
            Duration.ofSeconds(1).toNanos();
    /**
     * For this long it may be unknown why an mpirun has ended its ranks: longer than it takes to notice that the launcher which
     * ran it is gone (5 s).
     */
    private static final long DOUBT = Duration.ofSeconds(8).toNanos();

    private static final Pattern PID = Pattern.compile("[0-9]{1,10}");

    private final List<Supervised> hosts;
    private final Effects effects;
    private final Events clock;
    private final Map<Integer, RankNotes.Started> running = new TreeMap<>();
    private final List<RankNotes.Failed> failed = new ArrayList<>();
    private final Set<Integer> gone = new HashSet<>();
    private final Map<Integer, Long> pids = new TreeMap<>();
    private OptionalLong nextLook = OptionalLong.empty();
    private long nextLookAtProcesses;
    private int seen;

    RankWatch(Roster roster, Events clock, Effects effects) {
        this.hosts = roster.all().stream()
                .filter(process -> process.spec().hosted().isPresent())
                .toList();
        this.effects = effects;
        this.clock = clock;
    }

    /** Those of the plan's processes that host ranks and run. */
    List<Supervised> hosts() {
        return hosts.stream().filter(Supervised::isRunning).toList();
    }

    private boolean isHosting() {
        for (Supervised host : hosts) {
            if (host.isRunning()) {
                return true;
            }
        }
        return false;
    }

    /** Reads what is new, where it is time to; what ends the job is told with the time when it happened. */
    Optional<RankNotes.Failed> look() {
        if (!isHosting()) {
            nextLook = OptionalLong.empty();
            return Optional.empty();
        }
        if (nextLook.isEmpty() || clock.now() >= nextLook.getAsLong()) {
            nextLook = OptionalLong.of(clock.now() + PAUSE);
            read();
        }
        boolean isSure = failed.stream().anyMatch(rank -> !isDoubtful(rank) || clock.now() - rank.nanoTime() > DOUBT);
        return isSure ? first(rank -> true) : Optional.empty();
    }

    /** When {@link #look} must be called again; empty while nothing runs that hosts ranks. */
    OptionalLong nextLook() {
        return nextLook;
    }

    /** How many ranks have been started here, and whether none of them is left: there were some, and all have ended. */
    boolean allHaveEnded() {
        if (clock.now() >= nextLookAtProcesses) {
            nextLookAtProcesses = clock.now() + PAUSE_BETWEEN_LOOKS_AT_PROCESSES;
            running.values().removeIf(rank -> !effects.isThere(rank));
        }
        return seen > 0 && running.isEmpty();
    }

    /** The ranks that have been started here, and are there. */
    List<RankNotes.Started> there() {
        return running.values().stream().filter(effects::isThere).toList();
    }

    /** The same, with those that have noted their start since the last look. */
    List<RankNotes.Started> thereNow() {
        if (!hosts.isEmpty()) {
            read();
        }
        return there();
    }

    /** Whether no rank of this node runs any more, though shells may still wait. */
    boolean areGone() {
        read();
        return running.values().stream().allMatch(rank -> gone.contains(rank.rank()) || !effects.isThere(rank));
    }

    /** How many ranks have been started here. */
    int seen() {
        return seen;
    }

    /**
     * The rank whose failure explains how a process has ended that hosts ranks, or how the job ends elsewhere: the first at all where
     * that is the end of a rank too, which may have come later; else the first that ended with the same code.
     */
    Optional<RankNotes.Failed> explaining(Cause end) {
        if (hosts.isEmpty()) {
            return Optional.empty();
        }
        read();
        if (end instanceof Cause.Elsewhere elsewhere) {
            JobEnd job = elsewhere.end();
            boolean isOfProcess = job.kind() == JobEnd.Kind.FAILED || job.kind() == JobEnd.Kind.STOPPED_FROM_OUTSIDE;
            return first(
                    rank -> isOfProcess && (job.rank().isPresent() || rank.how().exitCode() == job.exitCode()));
        }
        return end instanceof Cause.OfProcess ended
                ? first(rank -> rank.how().exitCode() == ended.termination().exitCode())
                : Optional.empty();
    }

    /** A failed rank, as if it were a process of the plan. */
    Cause cause(RankNotes.Failed rank) {
        ProcessSpec host = hosts.get(0).spec();
        ProcessSpec process = ProcessSpec.task("rank-" + rank.rank(), host.launch())
                .placement(new Placement(rank.rank(), 0, rank.rank() + 1))
                .build();
        long pid = pid(rank.rank());
        Optional<String> reason = rank.missing()
                .map(program -> program + " was not found")
                .or(() -> effects.memoryKills().about(rank.how()));
        return rank.how().isBySigterm()
                ? new Cause.StoppedFromOutside(process, pid, rank.how(), reason)
                : new Cause.ProcessFailed(process, pid, rank.how(), reason);
    }

    /**
     * The rank's own pid, by which users find it, and may signal it. What has noted its start may be a shell that waits for it, whose end by
     * another's hand would be seen by whoever hosts the ranks, and cost the others their grace period.
     */
    long pid(int rank) {
        String own = effects.privateText(HostedRanks.PID + rank).strip();
        return PID.matcher(own).matches() ? Long.parseLong(own) : pids.getOrDefault(rank, 0L);
    }

    private void read() {
        RankNotes notes = effects.rankNotes();
        for (RankNotes.Started rank : notes.started()) {
            running.put(rank.rank(), rank);
            pids.put(rank.rank(), rank.pid());
            seen++;
        }
        failed.addAll(notes.failed());
        gone.addAll(notes.gone());
    }

    private Optional<RankNotes.Failed> first(Predicate<RankNotes.Failed> isMeant) {
        return failed.stream().filter(isMeant).min(Comparator.comparingLong(RankNotes.Failed::nanoTime));
    }

    private static boolean isDoubtful(RankNotes.Failed rank) {
        OptionalInt signal = rank.how().signal();
        return !rank.isAlone() && signal.isPresent() && (rank.how().isBySigterm() || signal.getAsInt() == 9);
    }
}
