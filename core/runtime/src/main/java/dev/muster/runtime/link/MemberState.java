package dev.muster.runtime.link;

import dev.muster.spi.Host;
import dev.muster.spi.LauncherNodes;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** The leader's view of one launcher of the job, its own included: a place, and the run of the launcher that holds it. */
final class MemberState {

    private final String name;
    private final boolean isOwn;
    private Optional<String> host;
    /** The address from which its launcher connects. */
    private Optional<String> address = Optional.empty();

    private Optional<LinkRun> run = Optional.empty();
    private @Nullable Channel channel;
    /** Why it is not connected. */
    private Optional<String> why = Optional.empty();

    private RunState state = new RunState();
    private boolean isReleased;
    private boolean isRefused;

    /** The state of the run that holds the place. */
    private static final class RunState {

        private Optional<Waits> awaits = Optional.empty();
        private Optional<LocalEvent.Planned> plan = Optional.empty();
        private Optional<JobEnd> cause = Optional.empty();
        private OptionalInt exitCode = OptionalInt.empty();
        /** The digest of the inputs of a launcher that is ready. */
        private Optional<String> digest = Optional.empty();

        private boolean hasAnswered;
        private boolean hasSucceeded;
        private boolean isLost;
    }

    /** What a launcher waits for, and since when. */
    record Waits(String what, long since) {}

    MemberState(LauncherNodes.Peer peer, boolean isOwn) {
        this.isOwn = isOwn;
        name = peer.name();
        host = peer.host().map(Host::name);
    }

    /** A run takes this place. */
    void setRun(LinkRun newRun, Channel newChannel) {
        run = Optional.of(newRun);
        channel = newChannel;
        state = new RunState();
    }

    String name() {
        return name;
    }

    Optional<String> host() {
        return host;
    }

    /** For users. */
    String where() {
        return JobEnd.where(name, host);
    }

    Optional<String> address() {
        return address;
    }

    void setAddress(Optional<String> newHost) {
        address = newHost;
        host = host.or(() -> newHost);
    }

    /** Empty if no launcher has come, and for the leader itself. */
    Optional<LinkRun> run() {
        return run;
    }

    /** Empty if no launcher has come, and for the leader itself. */
    Optional<Channel> channel() {
        return Optional.ofNullable(channel);
    }

    /** Whether no launcher has ever come. */
    boolean isAbsent() {
        return !isOwn && channel == null;
    }

    /** Its launcher was told why it may not take the place. */
    void markRefused() {
        isRefused = true;
    }

    boolean isRefused() {
        return isRefused;
    }

    boolean isConnected() {
        return channel != null && channel.isConnected();
    }

    /** Whether a launcher has come and is not gone, as far as is known. */
    boolean isLive() {
        return channel != null && !isGone();
    }

    /** Whether its launcher is connected, or is the leader itself. */
    boolean isPresent() {
        return isOwn || (isConnected() && !isGone());
    }

    void setDigest(String read) {
        state.digest = Optional.of(read);
    }

    /** The digest of its inputs, if its launcher is ready. */
    Optional<String> digest() {
        return state.digest;
    }

    boolean hasLeft() {
        return state.exitCode.isPresent();
    }

    boolean isGone() {
        return hasLeft() || state.isLost;
    }

    /** The time of an event on the leader's clock: exact for the leader itself, otherwise the time of its arrival. */
    long time(long there, long now) {
        return isOwn ? there : now;
    }

    Optional<String> why() {
        return why;
    }

    void setWhy(String reason) {
        why = Optional.of(reason);
    }

    Optional<Waits> awaits() {
        return state.awaits;
    }

    void setAwaits(Optional<String> what, long now) {
        state.awaits = what.map(known -> new Waits(known, now));
    }

    Optional<LocalEvent.Planned> plan() {
        return state.plan;
    }

    void setPlan(LocalEvent.Planned newPlan) {
        state.plan = Optional.of(newPlan);
        state.awaits = Optional.empty();
    }

    /** Its launcher reported why its part ended. */
    void setCause(LocalEvent.Over over) {
        state.cause = Optional.of(over.end());
        state.hasAnswered = !over.isConsequence();
    }

    void markAnswered() {
        state.hasAnswered = true;
    }

    void markSucceeded() {
        state.hasSucceeded = true;
        state.hasAnswered = true;
    }

    /** Whether the decision about the job's cause need not wait for this launcher. */
    boolean hasAnswered() {
        return state.hasAnswered || isGone();
    }

    /** Whether the job may succeed as far as this launcher goes. */
    boolean isDone() {
        return state.hasSucceeded
                || isGone()
                || state.plan.map(LocalEvent.Planned::follows).orElse(false);
    }

    /** It was told that it may leave: its loss does not count any more. */
    void release() {
        isReleased = true;
    }

    boolean isReleased() {
        return isReleased;
    }

    void markLeft(int code) {
        state.exitCode = OptionalInt.of(code);
    }

    void markLost() {
        state.isLost = true;
    }

    LinkReport.NodeEnd report(ProcessTable processes) {
        return new LinkReport.NodeEnd(name, host, state(), state.exitCode, state.cause, processes.report(name));
    }

    private String state() {
        if (hasLeft() || (state.isLost && isReleased)) {
            return "left";
        } else if (state.isLost) {
            return "lost";
        }
        return isAbsent() ? LinkReport.NodeEnd.NEVER_SEEN : "running";
    }
}
