package dev.muster.runtime.supervise;

import dev.muster.runtime.control.ControlServer;
import dev.muster.runtime.process.SignalNames;
import dev.muster.runtime.process.Signals;
import dev.muster.runtime.process.SupervisorListener;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Passes on what the supervisor tells: to whoever keeps signals, to whoever answers requests, and to the event loop that runs. */
public final class SupervisorEvents implements SupervisorListener {

    private final Signals signals;
    private final ControlServer control;
    private final LongSupplier nanoClock;
    private @Nullable Events events;
    private long stopped;
    private boolean isLost;

    public SupervisorEvents(Signals signals, ControlServer control, LongSupplier nanoClock) {
        this.signals = signals;
        this.control = control;
        this.nanoClock = nanoClock;
    }

    /** From now on this event loop runs. */
    synchronized void passTo(Events loop) {
        events = loop;
        if (isLost) {
            loop.post(new Event.Lost(loop.now()));
        }
        control.runs(Optional.of(new Requested(loop)));
    }

    /** From now on this part of the job is the launcher's. */
    void hasPart(String part) {
        control.hasPart(part);
    }

    /** No event loop runs. */
    synchronized void passToNobody() {
        events = null;
        control.runs(Optional.empty());
    }

    /** Waits until nothing is left of what an order meant; false where that takes too long, or nobody will tell. */
    @SuppressWarnings("TimedWait") // It loops.
    synchronized boolean awaitStopped(long sequence, Duration limit) throws InterruptedException {
        long begin = nanoClock.getAsLong();
        while (stopped < sequence && !isLost) {
            long left = limit.toNanos() - (nanoClock.getAsLong() - begin);
            if (left <= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return !isLost;
    }

    private synchronized void post(Consumer<Events> event) {
        if (events != null) {
            event.accept(events);
        }
    }

    @Override
    public void signalled(int number) {
        signals.deliver(number);
    }

    @Override
    public void requested(long connection, String line) {
        control.requested(connection, line);
    }

    @Override
    public void leftBehind(long pid, String name, long owner) {
        post(loop -> loop.post(new Event.LeftBehind(pid, name, owner, loop.now())));
    }

    @Override
    public void killing(long sequence, int count, List<Long> ids) {
        post(loop -> loop.post(new Event.Killing(sequence, count, ids, loop.now())));
    }

    @Override
    public void remains(long sequence, long pid, String name) {
        post(loop -> loop.post(new Event.Remains(sequence, pid, name, loop.now())));
    }

    @Override
    public synchronized void stopped(long sequence) {
        stopped = Math.max(stopped, sequence);
        notifyAll();
        post(loop -> loop.post(new Event.Stopped(sequence, loop.now())));
    }

    @Override
    public void hostedRanksEnded(long id) {
        post(loop -> loop.post(new Event.HostedRanksEnded(id, loop.now())));
    }

    @Override
    public synchronized void lost() {
        isLost = true;
        notifyAll();
        if (events == null) {
            // Nothing can be started any more, and the code is told by whoever is left.
            signals.deliver(Signals.KILLED, SignalNames.KILL);
        }
        post(loop -> loop.post(new Event.Lost(loop.now())));
    }

    /** What others than signals want of the event loop. */
    private record Requested(Events events) implements ControlServer.Attempt {

        @Override
        public void setGrace(Optional<Duration> grace, Consumer<Duration> then) {
            events.post(new Event.GraceSet(grace, then, events.now()));
        }

        @Override
        public void list(Consumer<Map<String, Object>> answer) {
            events.post(new Event.ListAsked(answer, events.now()));
        }
    }
}
