package dev.muster.runtime.output;

import dev.muster.runtime.text.Durations;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** One wait. Only the thread that waits touches it. */
public final class Waiting implements AutoCloseable {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    /** Between two lines that differ. */
    private static final long AFTER_CHANGE = Duration.ofSeconds(3).toNanos();

    private final Waits.Screen screen;
    private final LongSupplier nanoClock;
    private final long period;
    private final Optional<Duration> limit;
    private final boolean tellsChanges;
    private final long since;
    private final long quiet;
    private boolean wasTold;
    private String last = "";
    private long lastTold;

    Waiting(
            Waits.Screen screen,
            LongSupplier nanoClock,
            Duration period,
            Optional<Duration> limit,
            Duration quiet,
            boolean tellsChanges) {
        this.screen = screen;
        this.nanoClock = nanoClock;
        this.period = period.toNanos();
        this.limit = limit;
        this.quiet = quiet.toNanos();
        this.tellsChanges = tellsChanges;
        this.since = nanoClock.getAsLong();
    }

    /**
     * It still lasts. To be called at every look, at least once a second.
     *
     * @param what is waited for, and why it is not there; asked for only when it is shown
     */
    public void lasts(Supplier<String> what) {
        long waited = nanoClock.getAsLong() - since;
        if (waited < quiet) {
            return;
        }
        if (screen.isTerminal()) {
            show(what, waited);
        } else {
            tell(what, waited);
        }
    }

    private void show(Supplier<String> what, long waited) {
        if (!wasTold || waited - lastTold >= SECOND) {
            wasTold = true;
            lastTold = waited;
            // Milliseconds would flicker.
            Duration seconds = Duration.ofSeconds(Duration.ofNanos(waited).toSeconds());
            screen.show("waiting, " + ofLimit(seconds) + ": " + what.get());
        }
    }

    private void tell(Supplier<String> what, long waited) {
        boolean isDue = !wasTold || waited - lastTold >= period;
        boolean mayHaveChanged = tellsChanges && waited - lastTold >= AFTER_CHANGE;
        if (!isDue && !mayHaveChanged) {
            return;
        }
        String text = what.get();
        if (!wasTold) {
            screen.say(text
                    + limit.map(most -> "; waiting up to " + Durations.format(most))
                            .orElse(""));
        } else if (isDue || !text.equals(last)) {
            screen.say("still waiting after " + words(waited) + ": " + text);
        } else {
            return;
        }
        wasTold = true;
        last = text;
        lastTold = waited;
    }

    /** For example {@code 30s of 5m}. */
    private String words(long waited) {
        return ofLimit(rounded(Duration.ofNanos(waited)));
    }

    private String ofLimit(Duration waited) {
        return Durations.format(waited)
                + limit.map(most -> " of " + Durations.format(most)).orElse("");
    }

    /** Milliseconds are of interest only while there are no seconds. */
    public static Duration rounded(Duration duration) {
        long seconds = duration.toSeconds();
        return seconds == 0 ? Duration.ofMillis(duration.toMillis()) : Duration.ofSeconds(seconds);
    }

    /** It is over: what has changed on a terminal goes away. */
    @Override
    public void close() {
        if (wasTold && screen.isTerminal()) {
            screen.show("");
        }
    }
}
