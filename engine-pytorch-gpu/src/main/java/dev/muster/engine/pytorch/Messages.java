package dev.muster.engine.pytorch;

import dev.muster.spi.OptionValue;

/** Formats texts, options and numbers for messages. */
final class Messages {

    private static final int LONGEST_TEXT = 80;

    private Messages() {}

    /** The text in double quotes, cut off when it is long. The runtime escapes characters that could damage a terminal. */
    static String quote(String text) {
        return "\"" + (text.length() > LONGEST_TEXT ? text.substring(0, LONGEST_TEXT) + "..." : text) + "\"";
    }

    /** An option and its value, for the user: {@code --master-port="70000"}. */
    static String given(OptionValue option) {
        return option.origin() + "=" + quote(option.value());
    }

    /** A number of things: {@code 1 card}, {@code 2 cards}. */
    static String count(int number, String word) {
        return number + " " + word + (number == 1 ? "" : "s");
    }
}
