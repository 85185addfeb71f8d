package dev.muster.runtime.diagnostics;

import dev.muster.runtime.text.TextResource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What somebody may do about a failure: one line for causes that are known by their words, and none for all others. */
public final class NextStep {

    /** @param advice may quote groups of the pattern as {@code $1} */
    private record Rule(Pattern words, String advice) {}

    private static final String OF_OTHERS =
            "the other end was gone: look for an earlier failure in the logs of the other ranks";

    private static final String SILENT =
            "look where the program ends without a word; what it has not flushed then is lost";

    /** The first that fits a line, of those that stand nearer to the end of the words. */
    private static final List<Rule> RULES = TextResource.lines(NextStep.class, "next-steps.txt").stream()
            .map(line -> line.split(" => ", 2))
            .map(parts -> new Rule(Pattern.compile(parts[0]), parts[1]))
            .toList();

    private NextStep() {}

    /**
     * The line, where something is known.
     *
     * @param words the last words of the process
     * @param signal that ended it
     */
    public static Optional<String> of(List<String> words, OptionalInt signal) {
        for (int index = words.size() - 1; index >= 0; index--) {
            String line = Traceback.withoutMark(words.get(index));
            for (Rule rule : RULES) {
                Matcher matcher = rule.words().matcher(line);
                if (matcher.find()) {
                    return Optional.of(advice(rule, matcher));
                }
            }
        }
        if (signal.isPresent()) {
            return ofSignal(signal.getAsInt(), words);
        }
        return words.isEmpty() ? Optional.of(SILENT) : Optional.empty();
    }

    private static String advice(Rule rule, Matcher matcher) {
        String quoted = matcher.groupCount() > 0 ? String.valueOf(matcher.group(1)) : "";
        return rule.advice().replace("$1", quoted);
    }

    private static Optional<String> ofSignal(int signal, List<String> words) {
        boolean hasStack = words.stream().anyMatch(line -> line.contains("Fatal Python error"));
        return switch (signal) {
            case 4 -> Optional.of("the program was built for another processor: look for packages made for this one");
            case 7 -> Optional.of("a file in memory could not grow, most often in /dev/shm: df -h /dev/shm");
            case 9 ->
                Optional.of(
                        "find out who sent SIGKILL: the kernel when memory ran out (dmesg), a scheduler, or somebody");
            case 11 ->
                hasStack
                        ? Optional.empty()
                        : Optional.of("run again with PYTHONFAULTHANDLER=1: Python then prints where it crashed");
            case 13 -> Optional.of(OF_OTHERS);
            default -> Optional.empty();
        };
    }
}
