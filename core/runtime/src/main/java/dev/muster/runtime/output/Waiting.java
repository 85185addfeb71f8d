package dev.muster.runtime.output;

import dev.muster.runtime.text.Durations;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** One wait. Only the thread that waits touches it. */
public final class Waiting {

    /** Between two lines that differ. */
    private static final long AFTER_CHANGE = Duration.ofSeconds(3).toNanos();

    private final Consumer<String> say;
    private final LongSupplier nanoClock;
    private final long period;
    private final Optional<Duration> limit;
    private final long since;
    private final long quiet;
    private boolean wasTold;
    private String last = "";
    private long lastTold;

    /** @param limit where there is one, changes are not told before the next line is due */
    Waiting(Consumer<String> say, LongSupplier nanoClock, Duration period, Optional<Duration> limit, Duration quiet) {
        this.say = say;
        this.nanoClock = nanoClock;
        this.period = period.toNanos();
        this.limit = limit;
        this.quiet = quiet.toNanos();
        this.since = nanoClock.getAsLong();
    }

    /**
     * It still lasts. To be called at every look, at least once a second.
     *
     * @param what is waited for, and why it is not there; asked for only when it is shown
     */
    public void lasts(Supplier<String> what) {
        long waited = nanoClock.getAsLong() - since;
        boolean isDue = !wasTold || waited - lastTold >= period;
        boolean mayHaveChanged = limit.isEmpty() && waited - lastTold >= AFTER_CHANGE;
        if (waited >= quiet && (isDue || mayHaveChanged)) {
            tell(what.get(), waited, isDue);
        }
    }

    private void tell(String text, long waited, boolean isDue) {
        if (!wasTold) {
            say.accept(text
                    + limit.map(most -> "; waiting up to " + Durations.format(most))
                            .orElse(""));
        } else if (isDue || !text.equals(last)) {
            say.accept("still waiting after " + words(waited) + ": " + text);
        } else {
            return;
        }
        wasTold = true;
        last = text;
        lastTold = waited;
    }

    /** For example {@code 30s of 5m}. */
    private String words(long waited) {
        return Durations.format(rounded(Duration.ofNanos(waited)))
                + limit.map(most -> " of " + Durations.format(most)).orElse("");
    }

    /** Milliseconds are of interest only while there are no seconds. */
    public static Duration rounded(Duration duration) {
        long seconds = duration.toSeconds();
        return seconds == 0 ? Duration.ofMillis(duration.toMillis()) : Duration.ofSeconds(seconds);
    }
}
