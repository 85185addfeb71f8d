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
 * The link of a launcher from its opening to its end; one for each run of the job. Until somebody supervises processes, and listens,
 * it keeps what is heard, and ends this launcher's waits when the job is over elsewhere.
 *
 * <p>Where the job may restart in place, a run begins when all its launchers are ready ({@link #arrive}, {@link #hasBegun}). What
 * ends the job before that ends it for good; after that it ends the run, and {@link #again} meets the others for the next one.
 */
final class JobLink implements Link {

    private static final Duration SOON = Duration.ofSeconds(2);
    private static final Duration BEYOND_THE_GRACE = Duration.ofSeconds(5);
    private static final Duration LOOK = Duration.ofMillis(100);

    private final Function<LinkSettings, Link> links;
    private final Signals signals;
    private volatile LinkEventBuffer current;
    private @Nullable LinkSettings settings;
    private RunCount count;
    private LinkRun run;
    private volatile Consumer<LinkEvent> questions = heard -> {};
    /** Whether this launcher has said how its part ended. */
    private volatile boolean isOver;

    /** @param links opens a link at once, whoever may be there */
    JobLink(Function<LinkSettings, Link> links, Signals signals, RunCount count) {
        this.links = links;
        this.signals = signals;
        this.count = count;
        this.run = LinkRun.first(count.limit());
        this.current = new LinkEventBuffer(Link.NONE, signals, heard -> {});
    }

    /** Meets these launchers; if others were met before for the same run, these instead. */
    void open(LinkSettings given) {
        if (current.stop().isPresent()) {
            return; // the job has ended, as this launcher is still to tell
        }
        if (isUsed()) {
            left(0);
        }
        if (settings != null) {
            run = run.next(count.run());
        }
        settings = given.of(run);
        begin(settings);
    }

    /** There are no others in this run. */
    void part() {
        if (isUsed() && current.stop().isEmpty()) {
            left(0);
            current = new LinkEventBuffer(Link.NONE, signals, heard -> {});
        }
    }

    private void begin(LinkSettings opened) {
        LinkEventBuffer next = new LinkEventBuffer(links.apply(opened), signals, heard -> questions.accept(heard));
        isOver = false;
        current = next;
        next.link().listen(next::heard);
    }

    /** Who hears, from now on, what concerns questions of users. */
    void listenToQuestions(Consumer<LinkEvent> listener) {
        questions = listener;
    }

    /** The last word. */
    void left(int exitCode) {
        LinkEventBuffer past = current;
        past.isPast();
        past.link().say(new LocalEvent.Left(exitCode));
        past.link().close();
    }

    /**
     * Leaves the run that has ended, and meets the same launchers for the next one, at once: whoever is told to stop from now on tells
     * the others. Without others only the count goes on.
     */
    void again(RunCount next) {
        if (isUsed()) {
            current.begin().ifPresent(begin -> run = run.begun(begin));
            left(0);
        }
        signals.withdrawOrder();
        count = next;
        if (isUsed()) {
            run = run.next(next.run());
            settings = Objects.requireNonNull(settings).of(run);
            begin(settings);
        }
    }

    /**
     * This launcher is ready to start its processes. Said again when it has planned anew.
     *
     * @param planned for which run; whoever has come in the place of another learns that first
     * @param digest of what all launchers must have read alike; may be empty
     */
    void arrive(RunCount planned, String digest) {
        if (count.limit() > 0) {
            say(new LocalEvent.Here("run " + planned.run() + " " + digest));
        }
    }

    /** Whether all launchers are ready, so that processes may be started. */
    boolean hasBegun() {
        return count.limit() == 0 || !isUsed() || current.begin().isPresent();
    }

    /** Which run this is, as the launcher knows that has seen most of the job, once all are here. */
    RunCount count() {
        return current.begin()
                .map(begin -> new RunCount(begin.number(), count.limit()))
                .or(() -> current.complete().map(all -> new RunCount(all.number(), count.limit())))
                .orElse(count);
    }

    /** Those launchers that have taken others' places since the last run; empty: not all are here yet. */
    Optional<Set<String>> replaced() {
        return isUsed() ? current.complete().map(LinkEvent.Complete::replaced) : Optional.of(Set.of());
    }

    /**
     * Tells the others that this launcher's part has ended while none of its processes ran, unless they have been told so already.
     * A refusal is told to those who come a little later, too, unless a signal asks this launcher to stop meanwhile.
     *
     * @param isLast whether this launcher stays until the others have left, if it leads; else only while nodes have not come yet
     * @param say tells the user for whom this launcher stays
     * @return how the job ended; empty: nobody has said it in time
     */
    Optional<LinkEvent.Decided> end(JobEnd end, long nanoTime, boolean isLast, Consumer<String> say)
            throws InterruptedException {
        if (!isUsed()) {
            return Optional.empty();
        }
        if (!isOver) {
            say(new LocalEvent.Over(end, nanoTime));
        }
        boolean isNews = end.mayBeOfOneNode();
        Duration late = isNews ? forTheLate() : forTheDecision();
        Consumer<String> tell = whom -> say.accept("staying for up to " + Durations.format(late) + " to tell " + whom
                + (isNews ? "; a signal ends that" : ""));
        return settle(late, isNews, isLast, tell);
    }

    /** Why this launcher was told to stop by another one. */
    LinkEvent.Decided heed() throws InterruptedException {
        say(new LocalEvent.Heeded());
        LinkEventBuffer one = current;
        // Who ends a wait has been heard before.
        return settle(forTheDecision(), false, true, whom -> {})
                .orElseGet(() -> new LinkEvent.Decided(one.stop()
                        .orElseThrow(() -> new IllegalStateException("nobody said stop"))
                        .end()));
    }

    /** A leader stays until the others have left, and those who have not come yet can hear why there is no job. */
    private Optional<LinkEvent.Decided> settle(Duration late, boolean isNews, boolean isLast, Consumer<String> tell)
            throws InterruptedException {
        LinkEventBuffer one = current;
        Optional<LinkEvent.Decided> decision = await(one.decided(), late, isNews, tell);
        if (decision.isPresent()
                && leads()
                && (isLast || !report().namesOfUnseen().isEmpty())) {
            boolean mayBeCut = decision.get().end().kind() == JobEnd.Kind.REFUSED;
            await(one.mayLeave(), forTheLate().plus(toLeave()), mayBeCut, isNews ? tell : whom -> {});
        }
        return decision;
    }

    /**
     * Waits a moment, then longer, of which the user is told.
     *
     * @param mayBeCut whether a signal ends it
     */
    private <T> Optional<T> await(CompletableFuture<T> future, Duration late, boolean mayBeCut, Consumer<String> tell)
            throws InterruptedException {
        Optional<T> come = LinkEventBuffer.within(SOON, future);
        if (come.isEmpty() && !late.isZero() && !isToStop(mayBeCut)) {
            awaited().ifPresent(tell);
        }
        Duration left = late;
        while (come.isEmpty() && left.compareTo(Duration.ZERO) > 0 && !isToStop(mayBeCut)) {
            come = LinkEventBuffer.within(LOOK, future);
            left = left.minus(LOOK);
        }
        return come;
    }

    private boolean isToStop(boolean mayBeCut) {
        return mayBeCut && signals.stopRequest().isPresent();
    }

    /** How long others may take to leave: longer than the grace of their ranks. */
    private Duration toLeave() {
        return BEYOND_THE_GRACE.plus(settings == null ? Duration.ZERO : settings.grace());
    }

    /** How much longer than a moment it is waited for how the job ended: between two runs the leader may be busy with the last one. */
    private Duration forTheDecision() {
        return count.run() == 1 ? Duration.ZERO : toLeave();
    }

    /** How long those who have not come yet are waited for, to be told that there is no job. */
    private Duration forTheLate() {
        Duration late = settings == null ? Duration.ZERO : settings.forTheLate();
        return late.compareTo(forTheDecision()) < 0 ? forTheDecision() : late;
    }

    /** For whom this launcher waits, for users; empty: nobody is missing. */
    private Optional<String> awaited() {
        if (!leads()) {
            LauncherNodes.Peer leader =
                    Objects.requireNonNull(settings).launchers().leading();
            return Optional.of(
                    JobEnd.where(leader.name(), leader.host().map(Host::name)) + ", which leads and is not there");
        }
        List<String> missing = report().namesOfUnseen();
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of("those who have not come yet: " + Conditions.list(missing));
    }

    /** @param what this launcher waits for before it can make its plan; empty: nothing any more */
    void awaits(String what) {
        say(new LocalEvent.Awaiting(Optional.of(what).filter(words -> !words.isEmpty())));
    }

    @Override
    public void say(LocalEvent said) {
        if (said instanceof LocalEvent.Over) {
            isOver = true;
        }
        current.link().say(said);
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
