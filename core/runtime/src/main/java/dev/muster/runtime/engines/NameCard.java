package dev.muster.runtime.engines;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code ID; summary}: what tells of an engine without its classes.
 *
 * @param id what users give to {@code --engine}
 * @param summary one line
 */
record NameCard(String id, String summary) {

    private static final Pattern FORM =
            Pattern.compile("\\s*(?<id>[a-z][a-z0-9]*+(?:-[a-z0-9]++)*+)\\s*;\\s*(?<summary>\\S.*)", Pattern.DOTALL);

    /** Empty: the text has another form. */
    static Optional<NameCard> read(String text) {
        Matcher form = FORM.matcher(text);
        return form.matches()
                ? Optional.of(
                        new NameCard(form.group("id"), form.group("summary").strip()))
                : Optional.empty();
    }
}
