package dev.muster.runtime.launch;

import dev.muster.runtime.report.NodeRun;
import dev.muster.runtime.report.ProcessNames;
import dev.muster.spi.Node;
import dev.muster.spi.OptionValue;
import dev.muster.spi.ProcessSpec;

/** What stands before a process's lines on the console, as {@code --prefix} says. */
final class ConsolePrefix {

    private final String style;
    private final String node;

    private ConsolePrefix(String style, String node) {
        this.style = style;
        this.node = node;
    }

    /** @param style the value of {@code --prefix} */
    static ConsolePrefix of(String style, Node node) {
        return new ConsolePrefix(
                style, NodeRun.nodeName(node.index(), node.name().map(OptionValue::value)));
    }

    /** For example {@code "[rank 3] "}. */
    String of(ProcessSpec process) {
        return switch (style) {
            case "none" -> "";
            case "node" -> "[node " + node + " " + ProcessNames.of(process) + "] ";
            default -> "[" + ProcessNames.of(process) + "] ";
        };
    }
}
