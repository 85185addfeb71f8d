package dev.muster.engine.ascend;

import java.util.List;

/** Formats names, texts and numbers for messages. */
final class Messages {

    private static final int LONGEST_TEXT = 80;
    private static final int MOST_NAMES = 10;

    private Messages() {}

    /** The text in double quotes, escaped as JSON and cut off when it is long, so that it cannot damage a terminal or a log. */
    static String quote(String text) {
        boolean cut = text.length() > LONGEST_TEXT;
        return JsonText.of(cut ? text.substring(0, LONGEST_TEXT) + "..." : text);
    }

    /** The names. If there are many, only the first ones, and the number of all. */
    static String list(List<String> names) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < names.size() && i < MOST_NAMES; i++) {
            String quoted = quote(names.get(i));
            text.append(i == 0 ? "" : ", ").append(quoted, 1, quoted.length() - 1);
        }
        text.append(names.size() > MOST_NAMES ? ", ..." : "");
        return text.append(" (").append(names.size()).append(')').toString();
    }

    /** A number of things: {@code 1 card}, {@code 2 cards}. */
    static String count(int number, String word) {
        return number + " " + word + (number == 1 ? "" : "s");
    }

    /** Numbers, with ranges for successive ones: {@code 0-3,6}. */
    static String ranges(List<Integer> numbers) {
        StringBuilder text = new StringBuilder();
        int first = 0;
        for (int i = 1; i <= numbers.size(); i++) {
            if (i < numbers.size() && numbers.get(i) == numbers.get(i - 1) + 1) {
                continue;
            }
            text.append(first == 0 ? "" : ",").append(numbers.get(first));
            if (i - 1 > first) {
                text.append('-').append(numbers.get(i - 1));
            }
            first = i;
        }
        return text.toString();
    }
}
