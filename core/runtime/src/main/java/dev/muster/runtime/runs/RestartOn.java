package dev.muster.runtime.runs;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.process.SignalNames;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which ends of a run are followed by another one, as {@code --restart-on} lists them: {@code failure}, which is any failure of a
 * rank; {@code lost}, a node that is gone; or only some failures, by exit codes ({@code 3}, {@code 32-63}) and signals
 * ({@code SIGKILL}).
 *
 * @param codes of the failures, 1 to 255; a signal n is 128+n
 * @param lost whether a node that is gone is among them
 */
public record RestartOn(Set<Integer> codes, boolean lost) {

    /** What a list looks like, for messages. */
    public static final String FORM = "a list of failure, lost, exit codes (3, 32-63) and signals (SIGKILL) with commas"
            + " between; 126, 127 and SIGTERM (143) are never followed by another run";

    private static final String FAILURE = "failure";
    private static final String LOST = "lost";
    private static final int HIGHEST = 255;
    private static final Pattern CODES = Pattern.compile("([0-9]{1,3})(?:-([0-9]{1,3}))?");
    private static final String SIGNAL = "SIG";

    /** A command that is not there today is not there a minute later; and who ends a rank with SIGTERM wants the job to end. */
    private static final List<Integer> NEVER =
            List.of(ExitCode.NOT_EXECUTABLE.code(), ExitCode.NOT_FOUND.code(), ExitCode.ofSignal(SignalNames.TERM));

    /** Whether a text is such a list. */
    public static boolean isValid(String text) {
        return read(text).isPresent();
    }

    /** @throws IllegalArgumentException when it is none */
    public static RestartOn parse(String text) {
        return read(text).orElseThrow(() -> new IllegalArgumentException("not " + FORM));
    }

    /** Whether a failure with this code, as the standard style has it, is among them. */
    public boolean hasFailure(int exitCode) {
        return codes.contains(exitCode);
    }

    private static Optional<RestartOn> read(String text) {
        BitSet codes = new BitSet();
        boolean lost = false;
        for (String word : text.split(",", -1)) {
            lost |= word.equals(LOST);
            if (!word.equals(LOST) && !addFailures(word, codes)) {
                return Optional.empty();
            }
        }
        NEVER.forEach(codes::clear);
        return Optional.of(new RestartOn(Set.copyOf(codes.stream().boxed().toList()), lost));
    }

    private static boolean addFailures(String word, BitSet codes) {
        if (word.equals(FAILURE)) {
            codes.set(1, HIGHEST + 1);
            return true;
        }
        if (word.startsWith(SIGNAL)) {
            OptionalInt number = SignalNames.number(word.substring(SIGNAL.length()));
            return number.isPresent() && add(ExitCode.ofSignal(number.getAsInt()), codes);
        }
        Matcher range = CODES.matcher(word);
        if (!range.matches()) {
            return false;
        }
        int first = Integer.parseInt(range.group(1));
        return range.group(2) == null ? add(first, codes) : add(first, Integer.parseInt(range.group(2)), codes);
    }

    /** Whoever names one of those that never count has a wrong idea. */
    private static boolean add(int code, BitSet codes) {
        return !NEVER.contains(code) && add(code, code, codes);
    }

    private static boolean add(int first, int last, BitSet codes) {
        if (first < 1 || last > HIGHEST || first > last) {
            return false;
        }
        codes.set(first, last + 1);
        return true;
    }
}
