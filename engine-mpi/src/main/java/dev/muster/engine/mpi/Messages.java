package dev.muster.engine.mpi;

import dev.muster.spi.OptionValue;

/** Formats texts, values and numbers for messages. */
final class Messages {

    private static final int LONGEST_TEXT = 80;

    private Messages() {}

    /** The text in double quotes, without control characters and cut off when it is long, so that it cannot damage a terminal. */
    static String quote(String text) {
        String shown = text.length() > LONGEST_TEXT ? text.substring(0, LONGEST_TEXT) + "..." : text;
        return "\"" + shown.replaceAll("\\p{Cntrl}", "?") + "\"";
    }

    /** A value with its origin: {@code MY_SSHD_PORT="x"}. */
    static String given(OptionValue value) {
        return value.origin() + "=" + quote(value.value());
    }

    /** A number of things: {@code 1 host}, {@code 2 hosts}. */
    static String count(int number, String word) {
        return number + " " + word + (number == 1 ? "" : "s");
    }
}
