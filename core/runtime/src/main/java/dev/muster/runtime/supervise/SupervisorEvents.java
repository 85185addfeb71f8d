package dev.muster.runtime.supervise;

import dev.muster.runtime.control.ControlServer;
import dev.muster.runtime.output.OutputHub;
import dev.muster.runtime.process.SignalNames;
import dev.muster.runtime.process.Signals;
import dev.muster.runtime.process.SupervisorEvent;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Passes on the native supervisor's events: to the {@link Signals}, the {@link ControlServer} or the running event loop. */
public final class SupervisorEvents implements Consumer<SupervisorEvent> {

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

    /** The clock of all events. */
    LongSupplier nanoClock() {
        return nanoClock;
    }

    /** Passes later events to this event loop. */
    synchronized void passTo(Events loop, OutputHub output) {
        events = loop;
        if (isLost) {
            loop.post(new Event.OfSupervisor(new SupervisorEvent.Lost(), loop.now()));
        }
        control.setAttempt(Optional.of(new AttemptView(loop, output)));
    }

    public ControlServer control() {
        return control;
    }

    /** No event loop runs any more. */
    synchronized void passToNobody() {
        events = null;
        control.setAttempt(Optional.empty());
    }

    /** Waits until a stop order is complete, the limit is over, or the supervisor is lost. */
    @SuppressWarnings("TimedWait") // It loops.
    synchronized void awaitStopped(long sequence, Duration limit) throws InterruptedException {
        long begin = nanoClock.getAsLong();
        while (stopped < sequence && !isLost) {
            long left = limit.toNanos() - (nanoClock.getAsLong() - begin);
            if (left <= 0) {
                return;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }

    @Override
    public void accept(SupervisorEvent event) {
        if (event instanceof SupervisorEvent.Signalled signal) {
            signals.deliver(signal.number());
        } else if (event instanceof SupervisorEvent.Requested asked) {
            control.handle(asked.connection(), asked.line());
        } else {
            handle(event);
        }
    }

    private synchronized void handle(SupervisorEvent event) {
        if (event instanceof SupervisorEvent.Stopped end) {
            stopped = Math.max(stopped, end.sequence());
        } else if (event instanceof SupervisorEvent.Lost) {
            isLost = true;
            if (events == null) {
                // Nothing can be started any more. Outer still lives, and ends with the exit code.
                signals.deliver(SignalNames.KILL);
            }
        }
        notifyAll();
        if (events != null) {
            events.post(new Event.OfSupervisor(event, events.now()));
        }
    }
}
