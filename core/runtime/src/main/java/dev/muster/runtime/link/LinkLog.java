package dev.muster.runtime.link;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Lines for the user.
 *
 * @param say gets normal lines
 * @param warn gets warnings
 */
record LinkLog(Consumer<String> say, Consumer<String> warn) {

    void say(String text) {
        say.accept(text);
    }

    void warn(String text) {
        warn.accept(text);
    }

    /** For example {@code 40 s}. */
    static String seconds(long nanos) {
        return TimeUnit.NANOSECONDS.toSeconds(nanos) + " s";
    }
}
