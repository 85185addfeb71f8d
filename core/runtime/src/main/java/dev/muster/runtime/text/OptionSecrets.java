package dev.muster.runtime.text;

import java.util.BitSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the values of secret options in a text that has a command: a script, a list of words as JSON or Python write it. */
final class OptionSecrets {

    static final Pattern OPTION = Pattern.compile(
            "(?<![\\w-])(-{1,2}[A-Za-z][\\w.-]*+)\\s++(?!--[A-Za-z])(\"[^\"]*+\"|'[^']*+'|[^\\s\"']++)");

    static final Pattern LISTED = Pattern.compile(
            "\\\\*+[\"'](-{1,2}[A-Za-z][\\w.-]*+)\\\\*+[\"'],\\s*+" + "\\\\*+[\"'](?!--[A-Za-z])([^\"'\\\\]++)");

    /** What stands behind an option in a sentence. */
    private static final Pattern WORD = Pattern.compile("[a-z]++[,.;:]?|[A-Z]++[,.;:)\\]]?");

    private final String text;
    private final BitSet hidden;
    private final Predicate<String> isSecret;

    /** @param hidden which characters are secret; more are added */
    OptionSecrets(String text, BitSet hidden, Predicate<String> isSecret) {
        this.text = text;
        this.hidden = hidden;
        this.isSecret = isSecret;
    }

    /** @param isCommand whether the text is one, rather than a sentence that may speak of options */
    void hide(Clues clues, boolean isCommand) {
        if (clues.has(Clues.OPTION)) {
            hideOptions(isCommand);
        }
        if (clues.has(Clues.LISTED_OPTION)) {
            hideListed();
        }
    }

    private void hideOptions(boolean isCommand) {
        Matcher option = OPTION.matcher(text);
        for (int from = 0; option.find(from); from = option.end(1)) {
            boolean isWord = !isCommand && WORD.matcher(option.group(2)).matches();
            if (!isWord && isSecret.test(option.group(1))) {
                hidden.set(option.start(2), option.end(2));
            }
        }
    }

    private void hideListed() {
        Matcher listed = LISTED.matcher(text);
        for (int from = 0; listed.find(from); from = listed.end(1)) {
            if (isSecret.test(listed.group(1))) {
                hidden.set(listed.start(2), listed.end(2));
            }
        }
    }
}
