package dev.muster.runtime.launch;

import dev.muster.runtime.link.Heard;
import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.link.Link;
import dev.muster.runtime.link.LinkReport;
import dev.muster.runtime.link.LinkSettings;
import dev.muster.runtime.link.Said;
import dev.muster.runtime.process.Signals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The link of a launcher from its opening to its end. Until somebody supervises processes, and listens, it keeps what is heard, and
 * ends this launcher's waits when the job is over elsewhere.
 */
final class JobLink implements Link {

    /** How long a launcher whose part is over waits to hear how the job ended. */
    private static final Duration FOR_THE_DECISION = Duration.ofSeconds(2);

    /** How much longer than the grace of its ranks others may take to leave. */
    private static final Duration BEYOND_THE_GRACE = Duration.ofSeconds(5);

    private final Function<LinkSettings, Link> links;
    private final Signals signals;
    private final List<Heard> kept = new ArrayList<>();
    private final CompletableFuture<Heard.Decided> decided = new CompletableFuture<>();
    private final CompletableFuture<Heard.MayLeave> mayLeave = new CompletableFuture<>();
    private Link link = Link.NONE;
    private Duration grace = Duration.ZERO;
    private @Nullable Consumer<Heard> listener;
    private Heard.@Nullable Stop stop;
    private boolean saidOver;

    /** @param links opens a link at once, whoever may be there */
    JobLink(Function<LinkSettings, Link> links, Signals signals) {
        this.links = links;
        this.signals = signals;
    }

    void open(LinkSettings settings) {
        grace = settings.grace();
        link = links.apply(settings);
        link.listen(this::heard);
    }

    /**
     * Tells the others that this launcher's part has ended before it began, unless they have been told so already.
     *
     * @return how the job ended; empty: nobody has said it in time
     */
    Optional<Heard.Decided> end(JobEnd end, long nanoTime) throws InterruptedException {
        if (!link.isUsed()) {
            return Optional.empty();
        }
        if (!hasSaidOver()) {
            say(new Said.Over(end, nanoTime));
        }
        return decision();
    }

    /** Why this launcher was told to stop by another one. */
    Heard.Decided heed() throws InterruptedException {
        say(new Said.Heeded());
        Optional<Heard.Decided> decision = decision();
        synchronized (this) {
            // Who ends a wait has been heard before.
            return decision.orElseGet(() -> new Heard.Decided(
                    Objects.requireNonNull(stop, "nobody said stop").end(), List.of()));
        }
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
    private Optional<Heard.Decided> decision() throws InterruptedException {
        Optional<Heard.Decided> decision = within(FOR_THE_DECISION, decided);
        if (link.leads() && decision.isPresent()) {
            within(grace.plus(BEYOND_THE_GRACE), mayLeave);
        }
        return decision;
    }

    private static <T> Optional<T> within(Duration limit, CompletableFuture<T> future) throws InterruptedException {
        try {
            return Optional.of(future.get(limit.toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException | ExecutionException notYet) {
            return Optional.empty();
        }
    }

    private synchronized void heard(Heard heard) {
        if (listener == null) {
            kept.add(heard);
        } else {
            listener.accept(heard);
        }
        if (heard instanceof Heard.Stop told) {
            stop = told;
            signals.orderStop();
        } else if (heard instanceof Heard.Decided end) {
            decided.complete(end);
        } else if (heard instanceof Heard.MayLeave leave) {
            mayLeave.complete(leave);
        }
    }

    private synchronized boolean hasSaidOver() {
        return saidOver;
    }

    @Override
    public void say(Said said) {
        synchronized (this) {
            saidOver |= said instanceof Said.Over;
        }
        link.say(said);
    }

    @Override
    public synchronized void listen(Consumer<Heard> next) {
        listener = next;
        kept.forEach(next);
        kept.clear();
    }

    @Override
    public boolean isUsed() {
        return link.isUsed();
    }

    @Override
    public boolean leads() {
        return link.leads();
    }

    @Override
    public Optional<String> own() {
        return link.own();
    }

    @Override
    public LinkReport report() {
        return link.report();
    }

    @Override
    public void close() {
        link.close();
    }
}
