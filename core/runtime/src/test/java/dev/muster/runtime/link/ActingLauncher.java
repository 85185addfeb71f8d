package dev.muster.runtime.link;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Behaves as a launcher's supervisor does, as far as others see it. */
final class ActingLauncher {

    private static final long WITHOUT_VERDICT = TimeUnit.SECONDS.toNanos(2);

    private final MemoryNetwork network;
    private final MemoryLink station;
    private final boolean follows;
    private final long grace;
    private final List<Heard> heard = new ArrayList<>();
    private Optional<JobEnd> cause = Optional.empty();
    private Optional<JobEnd> verdict = Optional.empty();
    private boolean hasSucceeded;
    private boolean isStopped;
    private boolean isClean;
    private boolean mayLeave;
    private boolean hasLeft;
    private long causeAt;
    private long decidedAt = Long.MAX_VALUE;
    private long endedAt = -1;

    /** @param grace how long its processes take to end, in nanoseconds */
    ActingLauncher(MemoryNetwork network, MemoryLink station, boolean follows, long grace) {
        this.network = network;
        this.station = station;
        this.follows = follows;
        this.grace = grace;
        station.listen(this::hear);
    }

    MemoryLink station() {
        return station;
    }

    List<Heard> heard() {
        return heard;
    }

    boolean isAlive() {
        return station.isAlive() && !hasLeft;
    }

    boolean hasEnded() {
        return endedAt >= 0;
    }

    /** When it heard how the job ended. */
    long decidedAt() {
        return decidedAt;
    }

    /** What its verdict names; empty: success, or it has not ended. */
    Optional<JobEnd> verdict() {
        return verdict;
    }

    void plans(SortedSet<String> watched, String cards) {
        if (isAlive() && !isStopped) {
            TreeMap<String, String> equal = new TreeMap<>();
            equal.put("cards", cards);
            station.say(new Said.Planned(equal, "python train.py", follows, watched));
            station.say(new Said.Started("worker", 77, OptionalInt.empty(), Optional.empty(), station.clock()));
        }
    }

    void isReady() {
        if (isAlive() && !isStopped) {
            station.say(new Said.Ready("worker", station.clock()));
        }
    }

    /** Its processes end with success. */
    void succeeds() {
        if (isAlive() && !isStopped && !follows) {
            hasSucceeded = true;
            processEnds(0);
            station.say(new Said.Succeeded());
            network.after(1, this::leaveIfPossible);
        }
    }

    void fails(int exitCode) {
        if (isAlive() && !isStopped && !hasSucceeded) {
            processEnds(exitCode);
            over(new JobEnd(
                    JobEnd.Kind.FAILED,
                    station.name(),
                    Optional.empty(),
                    exitCode,
                    OptionalInt.empty(),
                    "rank ended",
                    Optional.of("worker"),
                    OptionalInt.empty(),
                    OptionalLong.of(77),
                    Optional.empty()));
        }
    }

    void isTold(int signal) {
        if (isAlive() && !isStopped) {
            over(JobEnd.of(
                    JobEnd.Kind.STOPPED, station.name(), Optional.empty(), 128 + signal, "stopped by " + signal));
        }
    }

    private void processEnds(int exitCode) {
        station.say(new Said.Ended(
                "worker", exitCode, OptionalInt.empty(), "exit code " + exitCode, isStopped, station.clock()));
    }

    private void over(JobEnd end) {
        cause = Optional.of(end);
        station.say(new Said.Over(end, station.clock()));
        stop();
    }

    private void stop() {
        isStopped = true;
        causeAt = network.now();
        network.after(grace, () -> {
            isClean = true;
            leaveIfPossible();
        });
        network.after(WITHOUT_VERDICT, this::leaveIfPossible);
        network.after(WITHOUT_VERDICT + 1 + grace, this::leaveIfPossible);
    }

    private void hear(Heard event) {
        if (hasLeft) {
            return; // what its link hears while it closes is told to nobody
        }
        heard.add(event);
        if (event instanceof Heard.Stop stop && !isStopped) {
            cause = Optional.of(stop.end());
            station.say(new Said.Heeded());
            stop();
        } else if (event instanceof Heard.Decided decided) {
            verdict = Optional.of(decided.end());
            decidedAt = network.now();
            if (decided.end().kind() == JobEnd.Kind.SUCCESS && follows && !isStopped) {
                stop();
            }
        } else if (event instanceof Heard.MayLeave) {
            mayLeave = true;
        }
        network.after(1, this::leaveIfPossible);
    }

    private void leaveIfPossible() {
        if (!isAlive()) {
            return;
        }
        boolean isSure = verdict.isPresent() || network.now() - causeAt >= WITHOUT_VERDICT;
        boolean knowsOfSuccess = !station.leads() && hasSucceeded && verdict.isPresent();
        boolean isReleased = (mayLeave || knowsOfSuccess) && (!isStopped || isClean);
        boolean isStoppedMember = !station.leads() && isStopped && isClean && isSure;
        if (isReleased || isStoppedMember) {
            hasLeft = true;
            endedAt = network.now();
            verdict = verdict.or(() -> cause);
            station.say(new Said.Left(verdict.map(JobEnd::exitCode).orElse(0)));
            station.close();
        }
    }

    @Override
    public String toString() {
        return station.name() + (station.isAlive() ? "" : " dead") + (hasLeft ? " left" : "") + " " + heard;
    }
}
