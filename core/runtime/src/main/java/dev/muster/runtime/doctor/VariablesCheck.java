package dev.muster.runtime.doctor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Variables that frameworks misread, as listed in {@code variables.txt}. */
final class VariablesCheck {

    private VariablesCheck() {}

    /** A row of the table. */
    private record Row(String level, String names, String rule, String problem, String advice) {}

    static Stream<Finding> findings(NodeFacts node) {
        List<Row> rows = Finding.rows("variables.txt")
                .map(cells -> new Row(cells[0], cells[1], cells[2], cells[3], cells[4]))
                .toList();
        return node.variables().entrySet().stream()
                .flatMap(variable -> rows.stream()
                        .filter(row -> variable.getKey().matches(row.names))
                        .filter(row -> isWrong(node, row.rule.split(" ", 2), variable.getValue()))
                        .limit(1)
                        .map(row -> finding(node, variable.getKey(), variable.getValue(), row)));
    }

    private static Finding finding(NodeFacts node, String name, String value, Row row) {
        String origin = isInherited(node, name, value) ? "environment" : "set by the engine";
        String found = name + "=" + value + " (" + origin + ") " + row.problem;
        return new Finding(Finding.level(row.level), name, found, row.advice);
    }

    private static boolean isInherited(NodeFacts node, String name, String value) {
        return value.equals(node.launch().environment().variables().get(name));
    }

    private static boolean isWrong(NodeFacts node, String[] rule, String value) {
        return switch (rule[0]) {
            case "matches" -> value.matches(rule[1]);
            case "differs" -> !value.matches(rule[1]);
            case "loopback" -> node.hasOtherNodes() && NodeFacts.isLoopback(value);
            case "loopback-interface" -> node.hasOtherNodes() && value.matches("=?lo");
            case "no-interface" -> !value.contains("/") && !interfaces(node).containsAll(List.of(value.split(",", -1)));
            case "no-interface-prefix" -> isNone(value, interfaces(node));
            case "no-adapter" -> isNone(value, node.files().names("/sys/class/infiniband"));
            case "foreign-address" -> !node.node().machine().addresses().contains(value);
            case "no-file" ->
                !Files.exists(Path.of(value))
                        && Stream.of(value.split("[:\\s]+", -1)).anyMatch(VariablesCheck::isMissing);
            case "no-gpu" ->
                !value.matches("void|none") && !node.files().names("/dev").contains("nvidiactl");
            case "too-many-threads" -> areTooMany(node, value);
            case "bound-alike" -> node.ranks().size() > 1 && !value.matches("(?i)false|none|disabled|.*\\bnone");
            case "proxy" -> node.hasOtherNodes() && !areDirect(node);
            default -> throw new IllegalArgumentException(rule[0]);
        };
    }

    private static List<String> interfaces(NodeFacts node) {
        return node.files()
                .text("/proc/net/dev")
                .orElse("")
                .lines()
                .map(line -> line.split(":", 2)[0].strip())
                .toList();
    }

    /**
     * Whether a list names nothing that exists, as NCCL and HCCL read it. Entries are prefixes; after {@code =} they are whole names;
     * after {@code ^} they exclude.
     */
    private static boolean isNone(String value, List<String> known) {
        boolean areWhole = value.startsWith("=");
        List<String> names = List.of(value.replaceAll("^=|:[0-9]+", "").split(",", -1));
        return !value.startsWith("^")
                && known.stream()
                        .noneMatch(one ->
                                names.stream().anyMatch(name -> areWhole ? one.equals(name) : one.startsWith(name)));
    }

    private static boolean isMissing(String file) {
        return file.startsWith("/") && !Files.exists(Path.of(file));
    }

    /** Whether all ranks together have too many threads, if the user sets the number for each. */
    private static boolean areTooMany(NodeFacts node, String value) {
        long threads = node.ranks().size() * Long.parseLong(value.split(",", 2)[0]);
        return isInherited(node, "OMP_NUM_THREADS", value)
                && threads > node.node().machine().usableCores();
    }

    /** Whether no node is reached through a proxy. */
    private static boolean areDirect(NodeFacts node) {
        List<String> direct = Stream.of("no_grpc_proxy", "no_proxy", "NO_PROXY")
                .flatMap(name -> node.variable(name).stream())
                .limit(1)
                .flatMap(names -> Stream.of(names.split("[,\\s]+", -1)))
                .map(name -> name.replaceFirst("^\\*?\\.", ""))
                .toList();
        return node.node().hosts().stream()
                .map(host -> "." + host.name())
                .allMatch(host -> direct.stream().anyMatch(name -> name.equals("*") || host.endsWith("." + name)));
    }
}
