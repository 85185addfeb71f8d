package dev.muster.runtime.launch;

import dev.muster.runtime.inputs.Waiter;
import dev.muster.runtime.process.Signals;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Lets time pass until the launcher is told to stop. */
final class SignalWaiter implements Waiter {

    private final Signals signals;
    private final LongSupplier nanoClock;
    private final Clock clock;
    private final Consumer<String> awaited;

    /** @param awaited told what is waited for; empty: nothing any more */
    SignalWaiter(Signals signals, LongSupplier nanoClock, Clock clock, Consumer<String> awaited) {
        this.signals = signals;
        this.nanoClock = nanoClock;
        this.clock = clock;
        this.awaited = awaited;
    }

    @Override
    public long nanoTime() {
        return nanoClock.getAsLong();
    }

    @Override
    public Instant wallTime() {
        return clock.instant();
    }

    @Override
    public boolean goOnAfter(Duration pause) {
        return signals.goOnAfter(pause);
    }

    @Override
    public void waitsFor(String what) {
        awaited.accept(what);
    }
}
