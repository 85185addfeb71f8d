package dev.muster.runtime.launch;

import dev.muster.runtime.link.Heard;
import dev.muster.runtime.link.Link;
import dev.muster.runtime.process.Signals;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What is heard over the link of one run, kept until somebody listens. */
final class OneLink {

    private final Link link;
    private final Signals signals;
    private final List<Heard> kept = new ArrayList<>();
    private final CompletableFuture<Heard.Decided> decided = new CompletableFuture<>();
    private final CompletableFuture<Heard.MayLeave> mayLeave = new CompletableFuture<>();
    private @Nullable Consumer<Heard> listener;
    private Heard.@Nullable Stop stop;
    private Heard.@Nullable Begin begin;
    private Heard.@Nullable Complete complete;
    private boolean isPast;

    OneLink(Link link, Signals signals) {
        this.link = link;
        this.signals = signals;
    }

    Link link() {
        return link;
    }

    synchronized void listen(Consumer<Heard> next) {
        listener = next;
        kept.forEach(next);
        kept.clear();
    }

    synchronized void heard(Heard heard) {
        if (isPast) {
            return;
        }
        if (heard instanceof Heard.Begin now) {
            begin = now;
            signals.wake();
        } else if (heard instanceof Heard.Complete all) {
            complete = all;
            signals.wake();
        } else {
            handOn(heard);
        }
    }

    private void handOn(Heard heard) {
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

    /** Nothing of it matters any more. */
    synchronized void isPast() {
        isPast = true;
    }

    synchronized Optional<Heard.Stop> stop() {
        return Optional.ofNullable(stop);
    }

    synchronized Optional<Heard.Begin> begin() {
        return Optional.ofNullable(begin);
    }

    synchronized Optional<Heard.Complete> complete() {
        return Optional.ofNullable(complete);
    }

    /** How the job ended. */
    CompletableFuture<Heard.Decided> decided() {
        return decided;
    }

    /** That nobody needs this launcher any more. */
    CompletableFuture<Heard.MayLeave> mayLeave() {
        return mayLeave;
    }
}
