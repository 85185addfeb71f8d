package dev.muster.engine.pytorch;

import dev.muster.spi.OptionValue;

/** Words of other people inside our messages. */
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

    /** An option with its value as the user sees it: {@code --master-port="70000"}. */
    static String given(OptionValue option) {
        return option.origin() + "=" + quote(option.value());
    }

    /** A number of things: {@code 1 card}, {@code 2 cards}. */
    static String count(int number, String word) {
        return number + " " + word + (number == 1 ? "" : "s");
    }
}
