package dev.muster.runtime.output;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Decides how often the user hears of a condition that lasts. A new text may follow soon; the same text is repeated rarely. */
public final class Cadence {

    /** A condition that is over within this time is not reported. */
    public static final long QUIET = TimeUnit.SECONDS.toNanos(5);

    private static final long AFTER_CHANGE = TimeUnit.SECONDS.toNanos(3);
    private static final long WITHOUT_CHANGE = TimeUnit.SECONDS.toNanos(30);

    private final long quiet;
    private long since;
    private long saidAt;
    private boolean lasts;
    private final Set<String> said = new HashSet<>();

    /** @param quiet how long nothing is said, in nanoseconds */
    public Cadence(long quiet) {
        this.quiet = quiet;
    }

    /**
     * The condition lasts. Returns the text if it is due.
     *
     * @param what makes the text; called only when a text may be due
     */
    public Optional<String> due(Supplier<String> what, long now) {
        if (!lasts) {
            lasts = true;
            since = now;
        }
        if (now - since < quiet || (!said.isEmpty() && now - saidAt < AFTER_CHANGE)) {
            return Optional.empty();
        }
        String text = what.get();
        if (said.contains(text) && now - saidAt < WITHOUT_CHANGE) {
            return Optional.empty();
        }
        said.add(text);
        saidAt = now;
        return Optional.of(text);
    }

    /** The condition is over. Returns whether the user was told of it. */
    public boolean end() {
        boolean wasSaid = !said.isEmpty();
        lasts = false;
        said.clear();
        return wasSaid;
    }
}
