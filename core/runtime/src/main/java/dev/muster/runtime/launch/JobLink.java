package dev.muster.runtime.launch;

import dev.muster.runtime.link.Heard;
import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.link.Link;
import dev.muster.runtime.link.LinkReport;
import dev.muster.runtime.link.LinkRun;
import dev.muster.runtime.link.LinkSettings;
import dev.muster.runtime.link.Said;
import dev.muster.runtime.process.Signals;
import dev.muster.runtime.runs.RunCount;
import dev.muster.spi.Host;
import dev.muster.spi.LauncherNodes;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
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

    private final Function<LinkSettings, Link> links;
    private final Signals signals;
    private OneLink current;
    private @Nullable LinkSettings settings;
    private RunCount count;
    private LinkRun run;
    private Optional<Said.Over> over = Optional.empty();

    /** @param links opens a link at once, whoever may be there */
    JobLink(Function<LinkSettings, Link> links, Signals signals, RunCount count) {
        this.links = links;
        this.signals = signals;
        this.count = count;
        this.run = LinkRun.first(count.limit());
        this.current = new OneLink(Link.NONE, signals);
    }

    /** Meets these launchers; if others were met before for the same run, these instead. */
    void open(LinkSettings given) {
        if (isUsed()) {
            leave(0);
        }
        if (settings != null) {
            run = run.next(count.run(), count.used());
        }
        settings = given.of(run);
        begin(settings);
    }

    /** There are no others in this run. */
    void part() {
        if (isUsed()) {
            leave(0);
            synchronized (this) {
                current = new OneLink(Link.NONE, signals);
            }
        }
    }

    private void begin(LinkSettings opened) {
        OneLink next = new OneLink(links.apply(opened), signals);
        synchronized (this) {
            over = Optional.empty();
            current = next;
        }
        next.link().listen(next::heard);
    }

    private void leave(int exitCode) {
        OneLink past = current();
        past.isPast();
        past.link().say(new Said.Left(exitCode));
        past.link().close();
    }

    private synchronized OneLink current() {
        return current;
    }

    /**
     * Leaves the run that has ended, and meets the same launchers for the next one, at once: whoever is told to stop from now on tells
     * the others. Without others only the count goes on.
     */
    void again(RunCount next) {
        if (isUsed()) {
            current().begin().ifPresent(begin -> run = run.begun(begin));
            leave(0);
        }
        signals.withdrawOrder();
        count = next;
        if (isUsed()) {
            run = run.next(next.run(), next.used());
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
            say(new Said.Here("run " + planned.run() + " " + digest));
        }
    }

    /** Whether all launchers are ready, so that processes may be started. */
    boolean hasBegun() {
        return count.limit() == 0 || !isUsed() || current().begin().isPresent();
    }

    /** Which run this is, as the launcher knows that has seen most of the job, once all are here. */
    RunCount count() {
        return current()
                .begin()
                .map(begin -> new RunCount(begin.number(), begin.used(), count.limit()))
                .or(() -> current().complete().map(all -> new RunCount(all.number(), all.used(), count.limit())))
                .orElse(count);
    }

    /** Those launchers that have taken others' places since the last run; empty: not all are here yet. */
    Optional<Set<String>> replaced() {
        return isUsed() ? current().complete().map(Heard.Complete::replaced) : Optional.of(Set.of());
    }

    /** Whether the others have gone on to their next run without this launcher, whatever ended the last one for them. */
    boolean isLeftBehind() {
        return current().isLeftBehind();
    }

    /**
     * Tells the others that this launcher's part has ended before it began, unless they have been told so already.
     *
     * @return how the job ended; empty: nobody has said it in time
     */
    Optional<Heard.Decided> end(JobEnd end, long nanoTime) throws InterruptedException {
        return end(end, nanoTime, true);
    }

    /**
     * The same.
     *
     * @param isLast whether this launcher stays until the others have left, if it leads; else it stays only until they know
     */
    Optional<Heard.Decided> end(JobEnd end, long nanoTime, boolean isLast) throws InterruptedException {
        return end(end, nanoTime, isLast, () -> {});
    }

    /**
     * The same, where the leader may be waited for longer than the user expects: between two runs.
     *
     * @param whenLate called when the leader has not answered soon
     */
    Optional<Heard.Decided> end(JobEnd end, long nanoTime, boolean isLast, Runnable whenLate)
            throws InterruptedException {
        if (!isUsed()) {
            return Optional.empty();
        }
        sayOver(end, nanoTime);
        return decision(isLast, whenLate);
    }

    /**
     * Tells the others why there is no job, or none any more, also those that come a little later: unless a signal asks this launcher
     * to stop meanwhile.
     *
     * @param isLast whether this launcher stays until the others have left, if it leads; else it stays only until they know
     * @param whenLate called when somebody must be waited for
     * @return how the job ended; empty: nobody has said it in time
     */
    Optional<Heard.Decided> refuse(JobEnd end, long nanoTime, boolean isLast, Consumer<Link> whenLate)
            throws InterruptedException {
        if (!isUsed()) {
            return Optional.empty();
        }
        sayOver(end, nanoTime);
        OneLink one = current();
        LongWait wait = patience().lateness(() -> signals.stopRequest().isPresent(), () -> whenLate.accept(one.link()));
        Optional<Heard.Decided> decision = one.decidedWithin(wait);
        if (leads() && decision.isPresent()) {
            // Those who have come and stay on are to end well after this one.
            one.mayLeaveWithin(
                    isLast
                            ? wait.longerBy(patience().forTheOthers())
                            : wait.until(
                                    () -> one.link().report().areAllSeen(),
                                    patience().forTheLate().dividedBy(2)));
        }
        return decision;
    }

    /** How long it waits for the others. */
    Patience patience() {
        return Patience.of(settings, count.run() == 1);
    }

    /** Who leads, for users. */
    String leading() {
        LauncherNodes.Peer leader = Objects.requireNonNull(settings).launchers().leading();
        return JobEnd.where(leader.name(), leader.host().map(Host::name));
    }

    private void sayOver(JobEnd end, long nanoTime) {
        if (over().isEmpty()) {
            say(new Said.Over(end, nanoTime));
        }
    }

    /** What ended this launcher's part, if a leader that is lost does not know it: so no other launcher does. */
    Optional<Said.Over> untold() {
        return isUsed() && !report().isHeard() ? over() : Optional.empty();
    }

    /** Why this launcher was told to stop by another one. */
    Heard.Decided heed() throws InterruptedException {
        say(new Said.Heeded());
        Optional<Heard.Decided> decision = decision(true, () -> {});
        // Who ends a wait has been heard before.
        return decision.orElseGet(() -> new Heard.Decided(current()
                .stop()
                .orElseThrow(() -> new IllegalStateException("nobody said stop"))
                .end()));
    }

    /** @param what this launcher waits for before it can make its plan; empty: nothing any more */
    void awaits(String what) {
        say(new Said.Awaiting(Optional.of(what).filter(words -> !words.isEmpty())));
    }

    /** The last word. */
    void left(int exitCode) {
        say(new Said.Left(exitCode));
        close();
    }

    /** A leader stays until the others have heard it, too. */
    private Optional<Heard.Decided> decision(boolean isLast, Runnable whenLate) throws InterruptedException {
        OneLink one = current();
        Optional<Heard.Decided> decision = one.decidedWithin(patience().decision(whenLate));
        if (isLast && leads() && decision.isPresent()) {
            Duration toLeave = patience().forTheOthers();
            one.mayLeaveWithin(toLeave);
            if (decision.get().end().kind() == JobEnd.Kind.REFUSED) {
                // Those who have not come yet may still come to be refused.
                one.mayLeaveWithin(new LongWait(
                        Duration.ZERO,
                        patience().forTheLate().minus(toLeave),
                        () -> signals.stopRequest().isPresent(),
                        () -> {}));
            }
        }
        return decision;
    }

    private synchronized Optional<Said.Over> over() {
        return over;
    }

    @Override
    public void say(Said said) {
        if (said instanceof Said.Over ours) {
            synchronized (this) {
                over = Optional.of(ours);
            }
        }
        current().link().say(said);
    }

    @Override
    public void listen(Consumer<Heard> next) {
        current().listen(next);
    }

    @Override
    public boolean isUsed() {
        return current().link().isUsed();
    }

    @Override
    public boolean leads() {
        return current().link().leads();
    }

    @Override
    public Optional<String> own() {
        return current().link().own();
    }

    @Override
    public LinkReport report() {
        return current().link().report();
    }

    @Override
    public void close() {
        current().link().close();
    }
}
