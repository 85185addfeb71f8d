package dev.muster.engine.pytorch;

import dev.muster.spi.OptionValue;

/** Words of other people inside our messages. */
final class Messages {

    private static final int LONGEST_TEXT = 80;

    private Messages() {}

    /** The text in double quotes, cut off when it is long. Whoever shows a message escapes what could garble a terminal. */
    static String quote(String text) {
        return "\"" + (text.length() > LONGEST_TEXT ? text.substring(0, LONGEST_TEXT) + "..." : text) + "\"";
    }

    /** An option with its value as the user sees it: {@code --master-port="70000"}. */
    static String given(OptionValue option) {
        return option.origin() + "=" + quote(option.value());
    }

    /** A number of things: {@code 1 card}, {@code 2 cards}. */
    static String count(int number, String word) {
        return number + " " + word + (number == 1 ? "" : "s");
    }
}
