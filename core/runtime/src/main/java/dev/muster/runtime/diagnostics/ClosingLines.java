package dev.muster.runtime.diagnostics;

import java.util.List;
import java.util.regex.Pattern;

/** Knows what programs print below a traceback without a word of the failure. */
final class ClosingLines {

    private static final String MARK = "^(?:\\[rank[0-9]+]: ?)?";

    /** wandb, NCCL, and the C++ parts of PyTorch, TensorFlow and MindSpore, below the level of errors. */
    private static final Pattern OF_TOOLS = Pattern.compile(MARK
            + "(?:wandb:(?: .*)?|.*\\bNCCL (?:INFO|TRACE) .*|\\[[IW][0-9]{4} .*"
            + "|[0-9-]{10} [0-9:.]+: [IW] (?:external/)?(?:tensorflow|tsl|xla|local_xla|local_tsl)/.*"
            + "|\\[(?:INFO|WARNING)] [A-Z_]+\\([0-9]+.*)$");

    /** Progress bars, and lines of a log below the level of errors. Who prints many of them is alive. */
    private static final Pattern OF_THE_PROGRAM = Pattern.compile(MARK
            + "(?:.*[0-9]%\\|.*\\|.*|.*[━╸].*|.*\\[[=>.]+].*|[IW][0-9]{4} [0-9:.]+ .*"
            + "|(?:[\\[(]?[0-9][0-9T:,.+ -]*[])]?[ |-]*)?\\[?(?:DEBUG|INFO|WARNING)\\b.*)$");

    private ClosingLines() {}

    /** The lines without those of tools. */
    static List<String> withoutTools(List<String> lines) {
        return lines.stream().filter(line -> !isOfTool(line)).toList();
    }

    /** The same without what the program says of its progress. */
    static List<String> withoutProgress(List<String> lines) {
        return lines.stream()
                .filter(line -> !OF_THE_PROGRAM.matcher(line).matches())
                .toList();
    }

    /** The lines up to the closing ones of tools; all where there are no others. */
    static List<String> before(List<String> lines) {
        int end = lines.size();
        while (end > 0 && isOfTool(lines.get(end - 1))) {
            end--;
        }
        return end == 0 ? lines : lines.subList(0, end);
    }

    private static boolean isOfTool(String line) {
        return OF_TOOLS.matcher(line).matches();
    }
}
