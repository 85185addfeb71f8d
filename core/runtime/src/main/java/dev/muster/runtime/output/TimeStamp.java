package dev.muster.runtime.output;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The time in the form of console lines and files of times. Only the pump thread asks for the current time. */
public final class TimeStamp {

    private static final DateTimeFormatter FORM = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSS'Z '", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private final Clock clock;
    private long millis = -1;
    private byte[] text = {};

    TimeStamp(Clock clock) {
        this.clock = clock;
    }

    /** Milliseconds since 1970. */
    long millis() {
        return clock.millis();
    }

    /** The current time, with a space behind it. */
    byte[] text() {
        long now = clock.millis();
        if (now != millis) {
            millis = now;
            text = text(Instant.ofEpochMilli(now)).getBytes(StandardCharsets.US_ASCII);
        }
        return text;
    }

    /** Another time in the same form. */
    public static String text(Instant time) {
        return FORM.format(time);
    }
}
