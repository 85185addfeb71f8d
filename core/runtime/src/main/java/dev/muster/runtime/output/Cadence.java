package dev.muster.runtime.output;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Tells the user about something that lasts: not at once, soon when it changes, rarely when it does not, or changes back. */
public final class Cadence {

    /** What is over so soon needs no words. */
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
     * It lasts. Gives the text when it should be said.
     *
     * @param what asked for only when it may be said
     */
    public Optional<String> is(Supplier<String> what, long now) {
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

    /** It is over. Says whether anything had been said of it. */
    public boolean isOver() {
        boolean wasSaid = !said.isEmpty();
        lasts = false;
        said.clear();
        return wasSaid;
    }
}
