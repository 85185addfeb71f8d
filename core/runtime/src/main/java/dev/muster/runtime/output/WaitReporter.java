package dev.muster.runtime.output;

import dev.muster.runtime.text.Durations;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Shows what the launcher waits for while no rank runs. The first line comes soon. More follow when something changes, and every 30 s. */
public record WaitReporter(Consumer<String> say, LongSupplier nanoClock) {

    /** Shows a line. */
    public void say(String line) {
        say.accept(line);
    }

    /** A wait that begins now. Its lines tell the limit. */
    public Waiting upTo(Duration limit) {
        return new Waiting(Optional.of(limit), Duration.ZERO);
    }

    /**
     * A wait that begins now and has no limit.
     *
     * @param quiet a wait that is over within this time is not reported
     */
    public Waiting quietFor(Duration quiet) {
        return new Waiting(Optional.empty(), quiet);
    }

    /** Whole seconds, or milliseconds below one second. */
    public static Duration rounded(Duration duration) {
        long seconds = duration.toSeconds();
        return seconds == 0 ? Duration.ofMillis(duration.toMillis()) : Duration.ofSeconds(seconds);
    }

    /** One wait. Only the waiting thread uses it. */
    public final class Waiting {

        private final String most;
        private final long since = nanoClock.getAsLong();
        private final Cadence cadence;
        private boolean isTold;

        private Waiting(Optional<Duration> limit, Duration quiet) {
            most = limit.map(Durations::format).orElse("");
            cadence = new Cadence(quiet.toNanos());
        }

        /**
         * The wait still lasts. Call it at least once a second.
         *
         * @param what what is waited for, and why it is missing; called only when it may be shown
         */
        public void report(Supplier<String> what) {
            long now = nanoClock.getAsLong();
            cadence.due(what, now).ifPresent(text -> tell(text, now - since));
        }

        private void tell(String text, long waited) {
            say(
                    isTold
                            ? "still waiting after " + Durations.format(rounded(Duration.ofNanos(waited)))
                                    + (most.isEmpty() ? "" : " of " + most) + ": " + text
                            : text + (most.isEmpty() ? "" : "; waiting up to " + most));
            isTold = true;
        }
    }
}
