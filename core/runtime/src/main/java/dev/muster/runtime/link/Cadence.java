package dev.muster.runtime.link;

import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Tells the user about something that lasts: not at once, soon when it changes, rarely when it does not. */
final class Cadence {

    /** What is over so soon needs no words. */
    static final long QUIET = TimeUnit.SECONDS.toNanos(5);

    private static final long AFTER_CHANGE = TimeUnit.SECONDS.toNanos(3);
    private static final long WITHOUT_CHANGE = TimeUnit.SECONDS.toNanos(30);

    private final long quiet;
    private long since;
    private long saidAt;
    private boolean lasts;
    private Optional<String> said = Optional.empty();

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
        long pause = said.isEmpty() ? 0 : said.get().equals(text) ? WITHOUT_CHANGE : AFTER_CHANGE;
        if (now - since < quiet || (said.isPresent() && now - saidAt < pause)) {
            return Optional.empty();
        }
        said = Optional.of(text);
        saidAt = now;
        return said;
    }

    /** It is over. Says whether anything had been said of it. */
    boolean isOver() {
        boolean wasSaid = said.isPresent();
        lasts = false;
        said = Optional.empty();
        return wasSaid;
    }
}
