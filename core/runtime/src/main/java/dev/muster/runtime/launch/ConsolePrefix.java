package dev.muster.runtime.launch;

import dev.muster.runtime.report.NodeRun;
import dev.muster.runtime.report.ProcessNames;
import dev.muster.spi.Node;
import dev.muster.spi.OptionValue;
import dev.muster.spi.ProcessSpec;
import java.util.Optional;

/** What stands before a process's lines on the console, as {@code --prefix} says. */
record ConsolePrefix(String style, String node) {

    /**
     * The prefixes of a node.
     *
     * @param style the value of {@code --prefix}
     * @param planName what the plan calls the node's part of the job
     */
    static ConsolePrefix of(String style, Optional<String> planName, Node node) {
        String index = NodeRun.nodeName(node.index(), node.name().map(OptionValue::value));
        return new ConsolePrefix(style, planName.orElse("node " + index));
    }

    /** For example {@code "[rank 3] "}. */
    String of(ProcessSpec process) {
        return switch (style) {
            case "none" -> "";
            case "node" -> "[" + part(process) + "] ";
            default -> "[" + ProcessNames.of(process) + "] ";
        };
    }

    private String part(ProcessSpec process) {
        String name = ProcessNames.of(process);
        return node.equals(name) ? name : node + " " + name;
    }
}
