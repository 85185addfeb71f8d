package dev.muster.runtime.watch;

import dev.muster.runtime.text.TextResource;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One call of a Python stack.
 *
 * @param file its path, as Python names it
 */
record StackFrame(String function, String file, int line) {

    /** {@code     train (/work/train.py:88)}. */
    static final Pattern OF_PY_SPY = Pattern.compile("\\s+(?<function>.+) \\((?<file>.*):(?<line>\\d{1,9})\\)");

    /** {@code   File "/work/train.py", line 88 in train}. */
    static final Pattern OF_FAULTHANDLER =
            Pattern.compile("\\s*File \"(?<file>.*)\", line (?<line>\\d{1,9}) in (?<function>.+)");

    private static final Pattern LIBRARY =
            Pattern.compile(".*/(?:site|dist)-packages/.*|.*/lib(?:64)?/python[0-9.]+/.*|<frozen .*");

    /** Files of packages in which ranks wait for each other. */
    private static final Pattern COLLECTIVE_FILE = Pattern.compile(
            ".*/(?:torch/distributed|torch/nn/parallel|horovod|mindspore/communication|deepspeed/comm|mpi4py)/.*");

    private static final List<String> COLLECTIVES = TextResource.lines(StackFrame.class, "collectives.txt");

    /** Reads a line; empty: it is not a call. */
    static Optional<StackFrame> of(Pattern form, String line) {
        Matcher call = form.matcher(line);
        return call.matches()
                ? Optional.of(new StackFrame(
                        call.group("function"), call.group("file"), Integer.parseInt(call.group("line"))))
                : Optional.empty();
    }

    /** The function without its class; Python 3.11 and newer give both. */
    private String name() {
        return function.substring(function.lastIndexOf('.') + 1);
    }

    private boolean isOfUser() {
        return !LIBRARY.matcher(file).matches();
    }

    private String place() {
        return "(" + file.substring(file.lastIndexOf('/') + 1) + ":" + line + ")";
    }

    @Override
    public String toString() {
        return function + " " + place();
    }

    /**
     * Where a stack stands, for users: the last call of the user's own code, and its place.
     *
     * @param frames the innermost first
     */
    static String headline(List<StackFrame> frames) {
        for (int at = 0; at < frames.size(); at++) {
            if (frames.get(at).isOfUser()) {
                return frames.get(Math.max(0, at - 1)).name() + " "
                        + frames.get(at).place();
            }
        }
        return frames.isEmpty() ? "" : frames.get(0).toString();
    }

    /** Whether ranks wait for each other in this stack. */
    static boolean isCollective(List<StackFrame> frames) {
        return frames.stream()
                .anyMatch(frame -> COLLECTIVE_FILE.matcher(frame.file()).matches()
                        || (!frame.isOfUser() && COLLECTIVES.contains(frame.name())));
    }
}
