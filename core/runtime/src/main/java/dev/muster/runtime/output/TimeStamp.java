package dev.muster.runtime.output;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The time as lines on the console and files of times have it. Only the pump thread asks for that of now. */
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

    /** Since 1970. */
    long millis() {
        return clock.millis();
    }

    /** With a space behind it. */
    byte[] text() {
        long now = clock.millis();
        if (now != millis) {
            millis = now;
            text = text(Instant.ofEpochMilli(now)).getBytes(StandardCharsets.US_ASCII);
        }
        return text;
    }

    /** The same of another time. */
    public static String text(Instant time) {
        return FORM.format(time);
    }
}
