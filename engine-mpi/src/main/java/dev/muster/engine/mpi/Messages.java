package dev.muster.engine.mpi;

import dev.muster.spi.OptionValue;
import java.time.Duration;
import java.util.List;

/** Words of other people, and quantities, inside our messages. */
final class Messages {

    private static final int LONGEST_TEXT = 80;

    private Messages() {}

    /** The text in double quotes, without control characters and cut off when it is long: it cannot garble a terminal. */
    static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length() && i < LONGEST_TEXT; i++) {
            char character = text.charAt(i);
            if (character == '"' || character == '\\') {
                quoted.append('\\').append(character);
            } else if (Character.isISOControl(character)) {
                quoted.append("\\u")
                        .append(Integer.toHexString(0x10000 | character).substring(1));
            } else {
                quoted.append(character);
            }
        }
        return quoted.append(text.length() > LONGEST_TEXT ? "...\"" : "\"").toString();
    }

    /** A value with the place it came from: {@code MY_SSHD_PORT="x"}. */
    static String given(OptionValue value) {
        return value.origin() + "=" + quote(value.value());
    }

    /** A number of things: {@code 1 host}, {@code 2 hosts}. */
    static String count(int number, String word) {
        return number + " " + word + (number == 1 ? "" : "s");
    }

    /** Several words: {@code A, B and C}. */
    static String list(List<String> words) {
        int last = words.size() - 1;
        return last < 1
                ? String.join("", words)
                : String.join(", ", words.subList(0, last)) + " and " + words.get(last);
    }

    /** A duration as options are written: {@code 500ms}, {@code 90s}, {@code 30m}. */
    static String duration(Duration duration) {
        if (duration.toMillisPart() > 0) {
            return duration.toMillis() + "ms";
        }
        boolean isMinutes = duration.toSecondsPart() == 0 && !duration.isZero();
        return isMinutes ? duration.toMinutes() + "m" : duration.toSeconds() + "s";
    }
}
