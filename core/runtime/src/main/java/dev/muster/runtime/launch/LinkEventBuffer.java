package dev.muster.runtime.launch;

import dev.muster.runtime.link.Link;
import dev.muster.runtime.link.LinkEvent;
import dev.muster.runtime.process.Signals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The link events of one attempt, kept until somebody listens. */
final class LinkEventBuffer {

    private final Link link;
    private final Signals signals;
    private final Consumer<LinkEvent> questions;
    private final List<LinkEvent> kept = new ArrayList<>();
    private final CompletableFuture<LinkEvent.Decided> decided = new CompletableFuture<>();
    private final CompletableFuture<LinkEvent.MayLeave> mayLeave = new CompletableFuture<>();
    private @Nullable Consumer<LinkEvent> listener;
    private LinkEvent.@Nullable Stop stop;
    private LinkEvent.@Nullable Begin begin;
    private LinkEvent.@Nullable Complete complete;
    private boolean isPast;

    /** @param questions gets events about questions of users at once */
    LinkEventBuffer(Link link, Signals signals, Consumer<LinkEvent> questions) {
        this.link = link;
        this.signals = signals;
        this.questions = questions;
    }

    Link link() {
        return link;
    }

    synchronized void listen(Consumer<LinkEvent> next) {
        listener = next;
        kept.forEach(next);
        kept.clear();
    }

    synchronized void handle(LinkEvent event) {
        if (isPast) {
            return;
        }
        if (event instanceof LinkEvent.OfQuestion) {
            questions.accept(event);
            return;
        }
        if (event instanceof LinkEvent.Begin now) {
            begin = now;
            signals.wake();
        } else if (event instanceof LinkEvent.Complete all) {
            complete = all;
            signals.wake();
        } else {
            deliver(event);
        }
    }

    private void deliver(LinkEvent event) {
        if (listener == null) {
            kept.add(event);
        } else {
            listener.accept(event);
        }
        if (event instanceof LinkEvent.Stop told) {
            stop = told;
            signals.orderStop();
        } else if (event instanceof LinkEvent.Decided end) {
            decided.complete(end);
        } else if (event instanceof LinkEvent.MayLeave leave) {
            mayLeave.complete(leave);
        }
    }

    /** The attempt is over: later events are ignored. */
    synchronized void markPast() {
        isPast = true;
    }

    synchronized Optional<LinkEvent.Stop> stop() {
        return Optional.ofNullable(stop);
    }

    synchronized Optional<LinkEvent.Begin> begin() {
        return Optional.ofNullable(begin);
    }

    synchronized Optional<LinkEvent.Complete> complete() {
        return Optional.ofNullable(complete);
    }

    /** Completes with how the job ended. */
    CompletableFuture<LinkEvent.Decided> decided() {
        return decided;
    }

    /** Completes when nobody needs this launcher any more. */
    CompletableFuture<LinkEvent.MayLeave> mayLeave() {
        return mayLeave;
    }

    /** The future's result, if it comes within the limit. */
    static <T> Optional<T> within(Duration limit, CompletableFuture<T> future) throws InterruptedException {
        try {
            return Optional.of(future.get(limit.toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException | ExecutionException notYet) {
            return Optional.empty();
        }
    }
}
