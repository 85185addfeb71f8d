package dev.muster.runtime.supervise;

import dev.muster.runtime.process.ProcessSupervisor.StartedProcess;
import dev.muster.runtime.process.ResourceUse;
import dev.muster.runtime.process.SignalNames;
import dev.muster.runtime.process.Termination;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.RankInfo;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** A process of the plan and its state. Only the event loop uses it. */
final class SupervisedProcess {

    private enum State {
        WAITING,
        RUNNING,
        ENDED
    }

    private final ProcessSpec spec;
    private State state = State.WAITING;
    private boolean mayStart;
    private StartedProcess started = Effects.NOT_STARTED;
    private long startedAt;
    private long endedAt;
    private long signalledAt;
    private boolean isHarmless;
    private boolean isReady;
    private boolean isOverdue;
    private @Nullable Termination termination;
    private Optional<ResourceUse> use = Optional.empty();

    SupervisedProcess(ProcessSpec spec) {
        this.spec = spec;
    }

    ProcessSpec spec() {
        return spec;
    }

    String id() {
        return spec.id();
    }

    /** Its rank, where it has one. */
    OptionalInt rank() {
        return spec.placement().stream().mapToInt(RankInfo::rank).findFirst();
    }

    boolean isWaiting() {
        return state == State.WAITING;
    }

    boolean isRunning() {
        return state == State.RUNNING;
    }

    boolean hasEnded() {
        return state == State.ENDED;
    }

    /** Whether its start condition has come true. */
    boolean mayStart() {
        return mayStart;
    }

    void allowStart() {
        mayStart = true;
    }

    void markStarting(long now) {
        state = State.RUNNING;
        startedAt = now;
    }

    /** Whether it is ready, so that other processes may rely on it. */
    boolean isReady() {
        return isReady;
    }

    void markReady() {
        isReady = true;
    }

    void markStarted(StartedProcess process) {
        started = process;
    }

    void markEnded(Event.Ended end) {
        state = State.ENDED;
        termination = end.termination();
        endedAt = end.nanoTime();
        use = end.use();
    }

    /** 0 when it was never started. */
    long pid() {
        return started.pid();
    }

    /** Its id at the native supervisor; 0 if it was never started. */
    long processId() {
        return started.id();
    }

    boolean wasStarted() {
        return started.pid() > 0;
    }

    long startedAt() {
        return startedAt;
    }

    long endedAt() {
        return endedAt;
    }

    /** How long it ran, now that it has ended. */
    Duration runTime() {
        return Duration.ofNanos(wasStarted() ? endedAt - startedAt : 0);
    }

    @Nullable Termination termination() {
        return termination;
    }

    /** What it has used, now that it has ended. */
    Optional<ResourceUse> use() {
        return use;
    }

    /** It missed its deadline and is killed for that. */
    void markOverdue() {
        isOverdue = true;
    }

    boolean isOverdue() {
        return isOverdue;
    }

    /** Muster told it to stop: no later end of it is a failure. */
    void markSignalled(long now) {
        if (signalledAt == 0) {
            signalledAt = now;
        }
    }

    /** The job had ended before this process did: its end is no failure. */
    void markHarmless() {
        isHarmless = true;
    }

    boolean isHarmless() {
        return isHarmless;
    }

    boolean endedByUs() {
        return signalledAt != 0 && hasEnded() && endedAt >= signalledAt;
    }

    /** It had failed before it was told to stop, and only ended later. */
    void markFailedBefore() {
        signalledAt = 0;
    }

    boolean endedBySigkill() {
        return termination != null && termination.signal().equals(OptionalInt.of(SignalNames.KILL));
    }

    boolean endedBySigterm() {
        return termination != null && termination.isBySigterm();
    }

    boolean failed() {
        return termination != null && !termination.isSuccess() && !endedByUs() && !isHarmless;
    }
}
