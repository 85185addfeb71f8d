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
    private Optional<String> comesFrom = Optional.empty();

    private Optional<LinkRun> run = Optional.empty();
    private @Nullable Channel channel;
    /** Why it is not connected. */
    private Optional<String> why = Optional.empty();

    private Course course = new Course();
    private boolean isReleased;
    private boolean isRefused;

    /** The state of the run that holds the place. */
    private static final class Course {

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
    void take(LinkRun newRun, Channel newChannel) {
        run = Optional.of(newRun);
        channel = newChannel;
        course = new Course();
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

    Optional<String> comesFrom() {
        return comesFrom;
    }

    void comesFrom(Optional<String> newHost) {
        comesFrom = newHost;
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
    void refused() {
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

    void here(String read) {
        course.digest = Optional.of(read);
    }

    /** The digest of its inputs, if its launcher is ready. */
    Optional<String> digest() {
        return course.digest;
    }

    boolean hasLeft() {
        return course.exitCode.isPresent();
    }

    boolean isGone() {
        return hasLeft() || course.isLost;
    }

    /** The time of an event on the leader's clock: exact for the leader itself, otherwise the time of its arrival. */
    long here(long there, long now) {
        return isOwn ? there : now;
    }

    Optional<String> why() {
        return why;
    }

    void isNotHere(String reason) {
        why = Optional.of(reason);
    }

    Optional<Waits> awaits() {
        return course.awaits;
    }

    void awaits(Optional<String> what, long now) {
        course.awaits = what.map(known -> new Waits(known, now));
    }

    Optional<LocalEvent.Planned> plan() {
        return course.plan;
    }

    void planned(LocalEvent.Planned newPlan) {
        course.plan = Optional.of(newPlan);
        course.awaits = Optional.empty();
    }

    /** Its launcher reported why its part ended. */
    void over(LocalEvent.Over over) {
        course.cause = Optional.of(over.end());
        course.hasAnswered = !over.isConsequence();
    }

    void answered() {
        course.hasAnswered = true;
    }

    void succeeded() {
        course.hasSucceeded = true;
        course.hasAnswered = true;
    }

    /** Whether the decision about the job's cause need not wait for this launcher. */
    boolean hasAnswered() {
        return course.hasAnswered || isGone();
    }

    /** Whether the job may succeed as far as this launcher goes. */
    boolean isDone() {
        return course.hasSucceeded
                || isGone()
                || course.plan.map(LocalEvent.Planned::follows).orElse(false);
    }

    /** It was told that it may leave: its loss does not count any more. */
    void release() {
        isReleased = true;
    }

    boolean isReleased() {
        return isReleased;
    }

    void left(int code) {
        course.exitCode = OptionalInt.of(code);
    }

    void lost() {
        course.isLost = true;
    }

    LinkReport.NodeEnd report(ProcessTable processes) {
        return new LinkReport.NodeEnd(name, host, state(), course.exitCode, course.cause, processes.report(name));
    }

    private String state() {
        if (hasLeft() || (course.isLost && isReleased)) {
            return "left";
        } else if (course.isLost) {
            return "lost";
        }
        return isAbsent() ? LinkReport.NodeEnd.NEVER_SEEN : "running";
    }
}
