package dev.muster.runtime.diagnostics;

import dev.muster.runtime.text.TextResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the user may do about a failure: one line for causes with known words, else nothing. */
public final class NextStep {

    /** @param advice may quote groups of the pattern as {@code $1} */
    private record Rule(Pattern words, String advice) {}

    /** The rules. Lines near the end of the words are tried first, and for a line the first rule that matches. */
    private static final List<Rule> RULES = TextResource.lines(NextStep.class, "next-steps.txt").stream()
            .map(line -> line.split(" => ", 2))
            .map(parts -> new Rule(Pattern.compile(parts[0]), parts[1]))
            .toList();

    private NextStep() {}

    /**
     * The advice, if a rule matches.
     *
     * @param words the last words of the process
     * @param signal the signal that ended it
     */
    public static Optional<String> of(List<String> words, OptionalInt signal) {
        List<String> lines = new ArrayList<>(List.of(end(words, signal)));
        lines.addAll(words);
        for (int index = lines.size() - 1; index >= 0; index--) {
            String line = Traceback.withoutMark(lines.get(index));
            for (Rule rule : RULES) {
                Matcher matcher = rule.words().matcher(line);
                if (matcher.find()) {
                    return Optional.of(advice(rule, matcher));
                }
            }
        }
        return Optional.empty();
    }

    private static String advice(Rule rule, Matcher matcher) {
        String quoted = matcher.groupCount() > 0 ? String.valueOf(matcher.group(1)) : "";
        return rule.advice().replace("$1", quoted);
    }

    /** The line for the end itself, as the rules name it; it is tried after all words. */
    private static String end(List<String> words, OptionalInt signal) {
        String stack = words.stream().anyMatch(line -> line.contains("Fatal Python error")) ? " with a stack" : "";
        return signal.isPresent()
                ? "(ended by signal " + signal.getAsInt() + stack + ")"
                : words.isEmpty() ? "(ended without a word)" : "";
    }
}
