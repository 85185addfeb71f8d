package dev.muster.runtime.output;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Shows what this launcher waits for while no rank runs. On a terminal that is one line, which changes every second and goes away
 * when anything else is shown; elsewhere it is a line soon after the beginning, and another one every while.
 */
public final class Waits {

    /** What is shown on it. */
    interface Screen {

        void say(String line);

        /** Shows a line that the next one replaces; empty: none any more. */
        void show(String line);

        /** Whether a line can be replaced. */
        boolean isTerminal();
    }

    private final Screen screen;
    private final LongSupplier nanoClock;
    private final Duration period;

    Waits(Screen screen, LongSupplier nanoClock, Duration period) {
        this.screen = screen;
        this.nanoClock = nanoClock;
        this.period = period;
    }

    /** @param period between two lines, where there is no terminal */
    public static Waits on(Console console, LongSupplier nanoClock, Duration period) {
        return new Waits(console.screen(), nanoClock, period);
    }

    /** In lines alone, every 30 s. */
    public static Waits inLines(Consumer<String> say, LongSupplier nanoClock) {
        return new Waits(new Lines(say), nanoClock, Duration.ofSeconds(30));
    }

    /** Shows a line that stays. */
    public void say(String line) {
        screen.say(line);
    }

    /** A wait that begins now. Lines tell its limit. */
    public Waiting upTo(Duration limit) {
        return new Waiting(screen, nanoClock, period, Optional.of(limit), Duration.ZERO, false);
    }

    /**
     * A wait that begins now and has no limit of its own. A line says as well when something has changed.
     *
     * @param quiet what is over so soon needs no words
     */
    public Waiting quietFor(Duration quiet) {
        return new Waiting(screen, nanoClock, period, Optional.empty(), quiet, true);
    }

    private record Lines(Consumer<String> lines) implements Screen {

        @Override
        public void say(String line) {
            lines.accept(line);
        }

        @Override
        public void show(String line) {
            throw new UnsupportedOperationException("not a terminal");
        }

        @Override
        public boolean isTerminal() {
            return false;
        }
    }
}
