package dev.muster.runtime.link;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Tells the user about something that lasts: not at once, soon when it changes, rarely when it does not, or changes back. */
final class Cadence {

    /** What is over so soon needs no words. */
    static final long QUIET = TimeUnit.SECONDS.toNanos(5);

    private static final long AFTER_CHANGE = TimeUnit.SECONDS.toNanos(3);
    private static final long WITHOUT_CHANGE = TimeUnit.SECONDS.toNanos(30);

    private final long quiet;
    private long since;
    private long saidAt;
    private boolean lasts;
    private final Set<String> said = new HashSet<>();

    /** @param quiet how long nothing is said, in nanoseconds */
    Cadence(long quiet) {
        this.quiet = quiet;
    }

    /** It is so now. Gives the text when it should be said. */
    Optional<String> is(String text, long now) {
        if (!lasts) {
            lasts = true;
            since = now;
        }
        long pause = said.contains(text) ? WITHOUT_CHANGE : AFTER_CHANGE;
        if (now - since < quiet || (!said.isEmpty() && now - saidAt < pause)) {
            return Optional.empty();
        }
        said.add(text);
        saidAt = now;
        return Optional.of(text);
    }

    /** It is over. Says whether anything had been said of it. */
    boolean isOver() {
        boolean wasSaid = !said.isEmpty();
        lasts = false;
        said.clear();
        return wasSaid;
    }
}
