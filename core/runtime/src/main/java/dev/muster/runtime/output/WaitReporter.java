package dev.muster.runtime.output;

import dev.muster.runtime.text.Durations;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Shows what this launcher waits for while no rank runs: in a line soon after the beginning, another one
 * when something is new, and one every 30 s. */
public record WaitReporter(Consumer<String> say, LongSupplier nanoClock) {

    /** Shows a line. */
    public void say(String line) {
        say.accept(line);
    }

    /** A wait that begins now. Lines tell its limit. */
    public Waiting upTo(Duration limit) {
        return new Waiting(Optional.of(limit), Duration.ZERO);
    }

    /**
     * A wait that begins now and has no limit of its own.
     *
     * @param quiet what is over so soon needs no words
     */
    public Waiting quietFor(Duration quiet) {
        return new Waiting(Optional.empty(), quiet);
    }

    /** Milliseconds are of interest only while there are no seconds. */
    public static Duration rounded(Duration duration) {
        long seconds = duration.toSeconds();
        return seconds == 0 ? Duration.ofMillis(duration.toMillis()) : Duration.ofSeconds(seconds);
    }

    /** One wait. Only the thread that waits touches it. */
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
         * It still lasts. To be called at every look, at least once a second.
         *
         * @param what is waited for, and why it is not there; asked for only when it is shown
         */
        public void lasts(Supplier<String> what) {
            long now = nanoClock.getAsLong();
            cadence.is(what, now).ifPresent(text -> tell(text, now - since));
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
