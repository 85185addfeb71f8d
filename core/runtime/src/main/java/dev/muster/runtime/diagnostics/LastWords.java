package dev.muster.runtime.diagnostics;

import dev.muster.runtime.text.Shortened;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Finds the lines that tell why a process failed: the last block in which its runtime says so, with the lines after it; else the last
 * lines. Plain text, without empty lines.
 */
public final class LastWords {

    /** The most lines of a block, with what follows it. */
    public static final int MOST_OF_BLOCK = 12;

    /** The most lines if there is no block. */
    static final int MOST_LINES = 10;

    /** Characters at the end of the output. They are more than the last lines, so that a secret of several lines is recognised. */
    private static final int MOST_OF_PLAIN = 8 * 1024;

    /** The most characters of a line. */
    private static final int LONGEST = 300;

    /** If more lines follow a block, the process survived it, unless its exit code is that of an uncaught exception. */
    private static final int STILL_THE_END = 3;

    private static final int FOLLOWING = 2;

    private static final String MARK = "^(?:\\[rank[0-9]+]: ?)?";

    /** Lines below the error level of wandb, NCCL, and the C++ parts of PyTorch, TensorFlow and MindSpore. */
    private static final Pattern OF_TOOLS = Pattern.compile(MARK
            + "(?:wandb:(?: .*)?|.*\\bNCCL (?:INFO|TRACE) .*|\\[[IW][0-9]{4} .*"
            + "|[0-9-]{10} [0-9:.]+: [IW] (?:external/)?(?:tensorflow|tsl|xla|local_xla|local_tsl)/.*"
            + "|\\[(?:INFO|WARNING)] [A-Z_]+\\([0-9]+.*)$");

    /** Progress bars, and log lines below the error level. A process that prints many of them is alive. */
    private static final Pattern OF_THE_PROGRAM = Pattern.compile(MARK
            // A progress bar may be in the same line before a traceback.
            + "(?!.*Traceback \\(most recent call last\\):)"
            + "(?:.*[0-9]%\\|.*\\|.*|.*[━╸].*|.*\\[[=>.]+].*|[IW][0-9]{4} [0-9:.]+ .*"
            + "|(?:[\\[(]?[0-9][0-9T:,.+ -]*+[])]?[ |-]*+)?\\[?(?:DEBUG|INFO|WARNING)\\b.*)$");

    private static final int SIGPIPE = 13;

    /** Messages of a process that failed because another process was gone. */
    private static final Pattern OF_CONSEQUENCES =
            Pattern.compile("Connection reset by peer|Connection closed by (?:remote )?peer|Broken ?[Pp]ipe"
                    + "|ConnectionResetError|ncclRemoteError|NCCL communicator was aborted|Socket closed|EOFError\\b"
                    + "|recvValue failed|Stop_waiting response is expected|unexpected end of (?:file|stream)"
                    + "|ailed to recv, got 0 bytes"
                    // Timeouts of a wait for it: NCCL, gloo, the store of PyTorch, HCCL, Horovod, JAX.
                    + "|Watchdog caught collective operation timeout|Timed out waiting [0-9]+ms for |Socket Timeout"
                    + "|wait timeout after [0-9]+ms|seconds waiting for clients|\\bEI00(?:02|06)\\b"
                    + "|Horovod has been shut down|indicates that another task died");

    private LastWords() {}

    /**
     * The last words of a process.
     *
     * @param output what was printed last
     * @param mask takes secrets out of a text
     * @param isUncaught whether the exit code is that of an uncaught exception
     */
    public static List<String> of(String output, UnaryOperator<String> mask, boolean isUncaught) {
        List<String> lines = lines(output, mask);
        List<String> telling = without(OF_TOOLS, lines);
        boolean isTheEnd = isUncaught || isTheEnd(telling);
        List<String> found = without(OF_THE_PROGRAM, telling);
        return chosen(lines, found, isTheEnd ? Blocks.last(found) : Optional.empty());
    }

    /** Whether an output ends with a block about the process's own failure, not one that another process caused. */
    public static boolean hasOwnFailure(String output) {
        List<String> lines = without(OF_TOOLS, lines(output, text -> text));
        return isTheEnd(lines)
                && Blocks.last(lines)
                        .filter(found -> !isConsequence(found.lines()))
                        .isPresent();
    }

    /**
     * Whether a process failed because another one was gone, according to its last words.
     *
     * @param words its last words
     * @param signal the signal that ended it
     */
    public static boolean isConsequence(List<String> words, OptionalInt signal) {
        return signal.equals(OptionalInt.of(SIGPIPE)) || isConsequence(words);
    }

    /** Whether these lines report such a failure. */
    static boolean isConsequence(List<String> lines) {
        return lines.stream().anyMatch(line -> OF_CONSEQUENCES.matcher(line).find());
    }

    private static boolean isTheEnd(List<String> lines) {
        return Blocks.last(lines)
                .filter(found -> said(lines, found.end()).size() <= STILL_THE_END)
                .isPresent();
    }

    /** The last words in an output of several processes, in which no line tells its process. */
    public static List<String> ofSeveral(SharedOutput output, UnaryOperator<String> mask) {
        List<String> before = lines(output.beforeTheEnd(), mask);
        // A rank's words may come late: look at the whole output then.
        List<String> lines = Blocks.lastOfSeveral(before).isPresent() ? before : lines(output.ofRanks(), mask);
        List<String> found = without(OF_THE_PROGRAM, without(OF_TOOLS, lines));
        Optional<Block> block = Blocks.lastOfSeveral(found);
        // Lines after the block may be of other ranks.
        return chosen(lines, block.map(told -> found.subList(0, told.end())).orElse(found), block);
    }

    /** The last lines, whatever they say. Many ranks may be read, so only the end of the output is examined. */
    public static List<String> plain(String output, UnaryOperator<String> mask) {
        int from = output.length() <= MOST_OF_PLAIN ? 0 : output.indexOf('\n', output.length() - MOST_OF_PLAIN) + 1;
        return last(said(lines(output.substring(from), mask), 0)).stream()
                .map(LastWords::shortened)
                .toList();
    }

    private static List<String> lines(String output, UnaryOperator<String> mask) {
        return PlainLines.of(mask.apply(PlainLines.withoutColours(output)));
    }

    /** @param block a block of {@code found} */
    private static List<String> chosen(List<String> lines, List<String> found, Optional<Block> block) {
        List<String> words = block.map(told -> around(told, said(found, told.end())))
                .orElseGet(() -> last(withoutClosing(said(lines, 0))));
        return words.stream().map(LastWords::shortened).toList();
    }

    private static List<String> said(List<String> lines, int from) {
        return lines.subList(from, lines.size()).stream()
                .filter(line -> !line.isBlank())
                .toList();
    }

    private static List<String> last(List<String> said) {
        return said.subList(Math.max(0, said.size() - MOST_LINES), said.size());
    }

    private static List<String> around(Block block, List<String> following) {
        List<String> all = new ArrayList<>(block.lines());
        all.addAll(following);
        int size = block.lines().size();
        List<Integer> order = new ArrayList<>();
        for (int key : block.key()) {
            order.add(key);
            order.add(key + 1);
        }
        order.add(size - 1);
        if (!following.isEmpty()) {
            order.addAll(Excerpt.down(all.size() - 1, Math.max(size, all.size() - FOLLOWING)));
        }
        order.addAll(List.of(0, 1, 2));
        order.addAll(Excerpt.down(block.key().isEmpty() ? size - 1 : block.key().get(0), 0));
        return Excerpt.of(all, MOST_OF_BLOCK, order);
    }

    private static String shortened(String line) {
        return line.length() <= LONGEST
                ? line
                : Shortened.start(LONGEST, line) + "... (" + line.length() + " characters)";
    }

    private static List<String> without(Pattern pattern, List<String> lines) {
        return lines.stream().filter(pattern.asMatchPredicate().negate()).toList();
    }

    /** The lines without closing lines of tools; all lines if they are all of tools. */
    private static List<String> withoutClosing(List<String> lines) {
        int end = lines.size();
        while (end > 0 && OF_TOOLS.matcher(lines.get(end - 1)).matches()) {
            end--;
        }
        return end == 0 ? lines : lines.subList(0, end);
    }

    /** Selects the important lines. A line replaces those that are left out. */
    private static final class Excerpt {

        private final List<String> lines;
        private final int most;
        private final BitSet taken = new BitSet();

        private Excerpt(List<String> lines, int most) {
            this.lines = lines;
            this.most = most;
        }

        /**
         * At most {@code most} lines.
         *
         * @param order the indexes of lines, most wanted first; other lines follow, the last first
         */
        static List<String> of(List<String> lines, int most, List<Integer> order) {
            Excerpt excerpt = new Excerpt(lines, most);
            order.forEach(excerpt::take);
            for (int index = lines.size() - 1; index >= 0; index--) {
                excerpt.take(index);
            }
            return excerpt.rendered();
        }

        private void take(int index) {
            if (index < 0 || index >= lines.size() || taken.get(index)) {
                return;
            }
            taken.set(index);
            if (rendered().size() > most) {
                taken.clear(index);
            }
        }

        private List<String> rendered() {
            List<String> shown = new ArrayList<>();
            int index = 0;
            while (index < lines.size()) {
                int next = taken.nextSetBit(index);
                int end = next < 0 ? lines.size() : next;
                if (end - index == 1) {
                    // A replacement line would not be shorter.
                    shown.add(lines.get(index));
                } else if (end > index) {
                    shown.add("... " + (end - index) + " lines");
                }
                if (next >= 0) {
                    shown.add(lines.get(next));
                }
                index = end + 1;
            }
            return shown;
        }

        /** The numbers from last down to first. */
        static List<Integer> down(int last, int first) {
            return IntStream.iterate(last, number -> number >= first, number -> number - 1)
                    .boxed()
                    .toList();
        }
    }
}
