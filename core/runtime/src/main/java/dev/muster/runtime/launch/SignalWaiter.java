package dev.muster.runtime.launch;

import dev.muster.runtime.inputs.Waiter;
import dev.muster.runtime.process.Signals;
import java.time.Duration;
import java.util.function.LongSupplier;

/** Lets time pass until the launcher is told to stop. */
final class SignalWaiter implements Waiter {

    private final Signals signals;
    private final LongSupplier nanoClock;

    SignalWaiter(Signals signals, LongSupplier nanoClock) {
        this.signals = signals;
        this.nanoClock = nanoClock;
    }

    @Override
    public long nanoTime() {
        return nanoClock.getAsLong();
    }

    @Override
    public boolean goOnAfter(Duration pause) {
        return signals.goOnAfter(pause);
    }
}
