package dev.muster.runtime.diagnostics;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads a Python traceback, with the tracebacks that led to it. */
final class Traceback {

    static final String HEADER = "Traceback (most recent call last):";

    /** Lines of the interpreter about exceptions that do not end the program. */
    private static final Pattern HARMLESS =
            Pattern.compile("^(?:Exception ignored |Error in atexit\\.|Error in sys\\.).*");

    /** Lines between two tracebacks if the first led to the second. */
    private static final Pattern CONNECTOR =
            Pattern.compile("^(?:During handling of the above exception, another exception"
                    + "|The above exception was the direct cause of the following|-- Process [0-9]+ terminated with the following"
                    + "|\"\"\"$).*");
    /** The most lines of a message; the important ones come first. */
    private static final int LONGEST_MESSAGE = 40;

    /** A line between header and exception; loguru marks one of them. */
    private static final Pattern FRAME = Pattern.compile(" |> File ");

    private static final Pattern EXCEPTION = Pattern.compile("[A-Za-z_][\\w.]*(?:: .*)?");

    private static final Pattern RULE = Pattern.compile("-{20,}");
    private static final Pattern SECTION = Pattern.compile("- .*Error Message:?");

    private static final String GROUP = "+ Exception Group ";

    private final List<String> output;
    private final List<String> lines = new ArrayList<>();
    private final List<Integer> exceptions = new ArrayList<>();
    private String prefix = "";
    private int at;

    private Traceback(List<String> output) {
        this.output = output;
    }

    static boolean startsAt(List<String> output, int index) {
        return output.get(index).contains(HEADER) && !(index > 0 && isHarmless(output.get(index - 1)));
    }

    private static boolean isHarmless(String line) {
        return HARMLESS.matcher(withoutMark(line)).matches();
    }

    /** A mark such as {@code [rank3]: } may stand before each line. */
    static String withoutMark(String line) {
        int end = line.startsWith("[") ? line.indexOf("]:") : -1;
        return end < 0 ? line : line.substring(end + 2).stripLeading();
    }

    /** The block whose first traceback starts at this line. */
    static Block at(List<String> output, int start) {
        Traceback reader = new Traceback(output);
        reader.at = start;
        reader.readAll();
        Collections.reverse(reader.exceptions);
        return new Block(start, reader.at, reader.lines, reader.exceptions);
    }

    private void readAll() {
        readOne();
        for (Optional<Integer> next = connected(); next.isPresent(); next = connected()) {
            while (at < next.get()) {
                keep(output.get(at++));
            }
            readOne();
        }
    }

    /** The start of the next traceback, if this one led to it. */
    private Optional<Integer> connected() {
        boolean isConnected = false;
        int index = at;
        while (index < output.size() && index < at + 6) {
            String line = bare(output.get(index));
            isConnected |= CONNECTOR.matcher(line.strip()).matches();
            if (line.contains(HEADER)) {
                return isConnected ? Optional.of(index) : Optional.empty();
            }
            if (!isConnected && !line.isBlank()) {
                return Optional.empty();
            }
            index++;
        }
        return Optional.empty();
    }

    private void readOne() {
        String header = output.get(at);
        prefix = header.substring(0, header.indexOf(HEADER));
        if (prefix.strip().startsWith(GROUP.strip())) {
            readGroup();
            return;
        }
        keep(output.get(at++));
        if (!prefix.isEmpty() && at < output.size() && !output.get(at).startsWith(prefix)) {
            // Only the header line has the prefix.
            prefix = "";
        }
        readFrames();
        readMessage();
    }

    /** Reads an exception group, which is drawn with bars before the exceptions. */
    private void readGroup() {
        keep(output.get(at++));
        while (at < output.size() && output.get(at).matches("^ *[|+].*")) {
            String line = output.get(at++);
            if (line.matches("^ *\\| [A-Za-z_].*") && !line.contains(HEADER)) {
                exceptions.add(lines.size());
            }
            keep(line);
        }
    }

    private void readFrames() {
        while (at < output.size()) {
            String line = output.get(at);
            boolean isFrame = FRAME.matcher(bare(line)).lookingAt() || isBetweenFrames();
            if (line.startsWith(prefix) && !isFrame) {
                return;
            }
            if (line.startsWith(prefix)) {
                keep(line);
            }
            at++;
        }
    }

    /** Whether an empty line is between frames: loguru prints such lines. */
    private boolean isBetweenFrames() {
        return bare(output.get(at)).isBlank()
                && at + 1 < output.size()
                && (FRAME.matcher(bare(output.get(at + 1))).lookingAt()
                        || EXCEPTION.matcher(bare(output.get(at + 1))).matches());
    }

    /** Reads a message. It begins with the name of the exception, and ends at an empty line or at the end of the output. */
    private void readMessage() {
        if (at >= output.size() || bare(output.get(at)).isBlank()) {
            return;
        }
        exceptions.add(lines.size());
        keep(output.get(at++));
        int end = Math.min(output.size(), at + LONGEST_MESSAGE);
        while (at < end) {
            String line = output.get(at);
            if (isMessagesEnd(line)) {
                return;
            }
            if (SECTION.matcher(bare(line)).matches()) {
                // The text of a section is below its second rule.
                exceptions.add(0, lines.size() + 2);
            }
            if (line.startsWith(prefix)) {
                keep(line);
            }
            at++;
        }
    }

    /** Whether a message ends here. A message of MindSpore has sections, each with a title between two rules. */
    private boolean isMessagesEnd(String line) {
        boolean isSectionNext =
                at + 1 < output.size() && RULE.matcher(bare(output.get(at + 1))).matches();
        return (bare(line).isBlank() && !isSectionNext) || line.contains(HEADER) || isHarmless(line);
    }

    private String bare(String line) {
        return line.startsWith(prefix) ? line.substring(prefix.length()) : line;
    }

    private void keep(String line) {
        if (!bare(line).isBlank()) {
            lines.add(line);
        }
    }
}
