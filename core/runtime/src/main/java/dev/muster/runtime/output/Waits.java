package dev.muster.runtime.output;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Shows what this launcher waits for while no rank runs: in a line soon after the beginning, and another one every while. */
public final class Waits {

    private final Consumer<String> say;
    private final LongSupplier nanoClock;
    private final Duration period;

    private Waits(Consumer<String> say, LongSupplier nanoClock, Duration period) {
        this.say = say;
        this.nanoClock = nanoClock;
        this.period = period;
    }

    /** @param period between two lines */
    public static Waits on(Console console, LongSupplier nanoClock, Duration period) {
        return new Waits(console::say, nanoClock, period);
    }

    /** Every 30 s. */
    public static Waits inLines(Consumer<String> say, LongSupplier nanoClock) {
        return new Waits(say, nanoClock, Duration.ofSeconds(30));
    }

    /** Shows a line. */
    public void say(String line) {
        say.accept(line);
    }

    /** A wait that begins now. Lines tell its limit. */
    public Waiting upTo(Duration limit) {
        return new Waiting(say, nanoClock, period, Optional.of(limit), Duration.ZERO);
    }

    /**
     * A wait that begins now and has no limit of its own. A line says as well when something has changed.
     *
     * @param quiet what is over so soon needs no words
     */
    public Waiting quietFor(Duration quiet) {
        return new Waiting(say, nanoClock, period, Optional.empty(), quiet);
    }
}
