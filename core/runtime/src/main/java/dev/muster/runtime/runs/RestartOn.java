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
 * Which ends of an attempt lead to a restart, from {@code --restart-on}: {@code failure}, any failure of a rank; {@code lost}, a lost node;
 * or only failures with some exit codes ({@code 3}, {@code 32-63}) and signals ({@code SIGKILL}).
 *
 * @param codes exit codes of the failures, 1 to 255; signal n is 128+n
 * @param lost whether a lost node leads to a restart
 */
public record RestartOn(Set<Integer> codes, boolean lost) {

    /** The form of the list, for messages. */
    public static final String FORM = "a list of failure, lost, exit codes (3, 32-63) and signals (SIGKILL) with commas"
            + " between; 126, 127 and SIGTERM (143) are never followed by another run";

    private static final String FAILURE = "failure";
    private static final String LOST = "lost";
    private static final int HIGHEST = 255;
    private static final Pattern CODES = Pattern.compile("([0-9]{1,3})(?:-([0-9]{1,3}))?");
    private static final String SIGNAL = "SIG";

    /** Codes without a restart. A missing command is still missing a minute later. A SIGTERM to a rank means that the job must end. */
    private static final List<Integer> NEVER =
            List.of(ExitCode.NOT_EXECUTABLE.code(), ExitCode.NOT_FOUND.code(), ExitCode.ofSignal(SignalNames.TERM));

    /** Whether a text is such a list. */
    public static boolean isValid(String text) {
        return read(text).isPresent();
    }

    /** @throws IllegalArgumentException it is no such list */
    public static RestartOn parse(String text) {
        return read(text).orElseThrow(() -> new IllegalArgumentException("not " + FORM));
    }

    /** Whether a failure with this exit code, in the standard style, leads to a restart. */
    public boolean includes(int exitCode) {
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

    /** Adds a single code. A code that never leads to a restart is refused, since the user expects something else. */
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
