package dev.muster.runtime.launch;

import dev.muster.runtime.conditions.Conditions;
import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.link.Link;
import dev.muster.runtime.link.LinkEvent;
import dev.muster.runtime.link.LinkReport;
import dev.muster.runtime.link.LinkRun;
import dev.muster.runtime.link.LinkSettings;
import dev.muster.runtime.link.LocalEvent;
import dev.muster.runtime.process.Signals;
import dev.muster.runtime.runs.RunCount;
import dev.muster.runtime.text.Durations;
import dev.muster.spi.Host;
import dev.muster.spi.LauncherNodes;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A launcher's link to the others, opened anew for each attempt. Until the supervision of processes listens, this class keeps the link's
 * events. If the job ends elsewhere, it also ends this launcher's waits.
 *
 * <p>Where the job may restart in place, an attempt begins when all launchers are ready ({@link #reportReady}, {@link #hasBegun}). An end
 * before that is final. An end after that ends only the attempt, and {@link #reopenFor} connects for the next one.
 */
final class JobLink implements Link {

    private static final Duration SOON = Duration.ofSeconds(2);
    private static final Duration BEYOND_THE_GRACE = Duration.ofSeconds(5);
    private static final Duration POLL_PAUSE = Duration.ofMillis(100);

    private final Function<LinkSettings, Link> links;
    private final Signals signals;
    private volatile LinkEventBuffer current;
    private @Nullable LinkSettings settings;
    private RunCount count;
    private LinkRun run;
    private volatile Consumer<LinkEvent> questions = heard -> {};
    /** Whether this launcher has told the others how its part ended. */
    private volatile boolean hasReported;

    /** @param links opens a link at once, without waiting for the other launchers */
    JobLink(Function<LinkSettings, Link> links, Signals signals, RunCount count) {
        this.links = links;
        this.signals = signals;
        this.count = count;
        this.run = LinkRun.first(count.limit());
        this.current = new LinkEventBuffer(Link.NONE, signals, heard -> {});
    }

    /** Opens the link to these launchers. It closes an earlier link of the same attempt. */
    void open(LinkSettings given) {
        if (current.stop().isPresent()) {
            return; // the job has ended, as this launcher is still to tell
        }
        if (isUsed()) {
            leave(0);
        }
        if (settings != null) {
            run = run.next(count.run());
        }
        settings = given.with(run);
        connect(settings);
    }

    /** Closes the link: the attempt has no other launchers. */
    void closeUnused() {
        if (isUsed() && current.stop().isEmpty()) {
            leave(0);
            current = new LinkEventBuffer(Link.NONE, signals, heard -> {});
        }
    }

    private void connect(LinkSettings opened) {
        LinkEventBuffer next = new LinkEventBuffer(links.apply(opened), signals, heard -> questions.accept(heard));
        hasReported = false;
        current = next;
        next.link().listen(next::handle);
    }

    /** Sets who gets the link events about questions of users. */
    void listenToQuestions(Consumer<LinkEvent> listener) {
        questions = listener;
    }

    /** Tells the others that this launcher leaves, and closes the link. */
    void leave(int exitCode) {
        LinkEventBuffer past = current;
        past.markPast();
        past.link().send(new LocalEvent.Left(exitCode));
        past.link().close();
    }

    /**
     * Leaves the attempt that has ended, and connects to the same launchers for the next one at once: a stop from now on reaches the
     * others. Without other launchers it only counts the attempt.
     */
    void reopenFor(RunCount next) {
        if (isUsed()) {
            current.begin().ifPresent(begin -> run = run.begun(begin));
            leave(0);
        }
        signals.withdrawOrder();
        count = next;
        if (isUsed()) {
            run = run.next(next.run());
            settings = Objects.requireNonNull(settings).with(run);
            connect(settings);
        }
    }

    /**
     * Tells the others that this launcher is ready to start its processes. Called again after a new plan.
     *
     * @param planned the attempt that was planned; a replacement learns its number from the others first
     * @param digest of the inputs that all launchers must have read alike; may be empty
     */
    void reportReady(RunCount planned, String digest) {
        if (count.limit() > 0) {
            send(new LocalEvent.Here("run " + planned.run() + " " + digest));
        }
    }

    /** Whether all launchers are ready, so that this one may start its processes. */
    boolean hasBegun() {
        return count.limit() == 0 || !isUsed() || current.begin().isPresent();
    }

    /** The number of this attempt. Once all launchers are connected, it is the highest number that any of them knows. */
    RunCount count() {
        return current.begin()
                .map(begin -> new RunCount(begin.number(), count.limit()))
                .or(() -> current.complete().map(all -> new RunCount(all.number(), count.limit())))
                .orElse(count);
    }

    /** The launchers that replaced others since the last attempt; empty: not all launchers are connected yet. */
    Optional<Set<String>> replaced() {
        return isUsed() ? current.complete().map(LinkEvent.Complete::replaced) : Optional.of(Set.of());
    }

    /**
     * Tells the others that this launcher's part ended while no process ran, unless it has told them already. For a refusal it waits for
     * launchers that come a little later, unless a signal asks this launcher to stop meanwhile.
     *
     * @param isLast whether a leader stays until all others have left; else only while launchers have not come yet
     * @param say tells the user for whom this launcher stays
     * @return how the job ended; empty: nobody said it in time
     */
    Optional<LinkEvent.Decided> end(JobEnd end, long nanoTime, boolean isLast, Consumer<String> say)
            throws InterruptedException {
        if (!isUsed()) {
            return Optional.empty();
        }
        if (!hasReported) {
            send(new LocalEvent.Over(end, nanoTime));
        }
        boolean isNews = end.mayBeOfOneNode();
        Duration late = isNews ? lateTime() : decisionTime();
        Consumer<String> tell = whom -> say.accept("staying for up to " + Durations.format(late) + " to tell " + whom
                + (isNews ? "; a signal ends that" : ""));
        return settle(late, isNews, isLast, tell);
    }

    /** Why another launcher told this one to stop. */
    LinkEvent.Decided awaitDecision() throws InterruptedException {
        send(new LocalEvent.Heeded());
        LinkEventBuffer one = current;
        // A stop ends a wait only after it was received, so it is there.
        return settle(decisionTime(), false, true, whom -> {})
                .orElseGet(() -> new LinkEvent.Decided(one.stop()
                        .orElseThrow(() -> new IllegalStateException("nobody said stop"))
                        .end()));
    }

    /** A leader stays until the others have left. Late launchers can then hear why there is no job. */
    private Optional<LinkEvent.Decided> settle(Duration late, boolean isNews, boolean isLast, Consumer<String> tell)
            throws InterruptedException {
        LinkEventBuffer one = current;
        Optional<LinkEvent.Decided> decision = await(one.decided(), late, isNews, tell);
        if (decision.isPresent()
                && leads()
                && (isLast || !report().missingNodes().isEmpty())) {
            boolean mayAbort = decision.get().end().kind() == JobEnd.Kind.REFUSED;
            await(one.mayLeave(), lateTime().plus(leaveTime()), mayAbort, isNews ? tell : whom -> {});
        }
        return decision;
    }

    /**
     * Waits a moment. If that is not enough, it tells the user and waits longer.
     *
     * @param mayAbort whether a signal ends the wait
     */
    private <T> Optional<T> await(CompletableFuture<T> future, Duration late, boolean mayAbort, Consumer<String> tell)
            throws InterruptedException {
        Optional<T> come = LinkEventBuffer.within(SOON, future);
        if (come.isEmpty() && !late.isZero() && !isToStop(mayAbort)) {
            describeAwaited().ifPresent(tell);
        }
        Duration left = late;
        while (come.isEmpty() && left.compareTo(Duration.ZERO) > 0 && !isToStop(mayAbort)) {
            come = LinkEventBuffer.within(POLL_PAUSE, future);
            left = left.minus(POLL_PAUSE);
        }
        return come;
    }

    private boolean isToStop(boolean mayAbort) {
        return mayAbort && signals.stopRequest().isPresent();
    }

    /** How long others may take to leave: the grace of their ranks, and a little more. */
    private Duration leaveTime() {
        return BEYOND_THE_GRACE.plus(settings == null ? Duration.ZERO : settings.grace());
    }

    /** How much longer to wait for the decision how the job ended. Between two attempts the leader may still handle the last one. */
    private Duration decisionTime() {
        return count.run() == 1 ? Duration.ZERO : leaveTime();
    }

    /** How long to wait for late launchers, to tell them that there is no job. */
    private Duration lateTime() {
        Duration late = settings == null ? Duration.ZERO : settings.exitDelay();
        return late.compareTo(decisionTime()) < 0 ? decisionTime() : late;
    }

    /** The launchers that this one waits for, in words for users; empty: none is missing. */
    private Optional<String> describeAwaited() {
        if (!leads()) {
            LauncherNodes.Peer leader =
                    Objects.requireNonNull(settings).launchers().leading();
            return Optional.of(
                    JobEnd.where(leader.name(), leader.host().map(Host::name)) + ", which leads and is not there");
        }
        List<String> missing = report().missingNodes();
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of("those who have not come yet: " + Conditions.list(missing));
    }

    /** @param what the inputs that this launcher needs before it can plan; empty: it waits for nothing any more */
    void reportAwaited(String what) {
        send(new LocalEvent.Awaiting(Optional.of(what).filter(words -> !words.isEmpty())));
    }

    @Override
    public void send(LocalEvent said) {
        if (said instanceof LocalEvent.Over) {
            hasReported = true;
        }
        current.link().send(said);
    }

    @Override
    public void listen(Consumer<LinkEvent> next) {
        current.listen(next);
    }

    @Override
    public Optional<LauncherNodes> launchers() {
        return current.link().launchers();
    }

    @Override
    public LinkReport report() {
        return current.link().report();
    }

    @Override
    public void close() {
        current.link().close();
    }
}
