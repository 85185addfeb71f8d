package dev.muster.runtime.doctor;

import dev.muster.runtime.cli.StandardOutput;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.json.Json;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.text.Columns;
import dev.muster.runtime.text.Printable;
import dev.muster.runtime.text.Ranges;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The findings, for people and for machines.
 *
 * @param nodes the nodes of the meeting; empty for a single node
 * @param findings with the nodes that have each
 */
record DoctorReport(Console console, List<String> nodes, Map<Finding, List<String>> findings) {

    /** The document of {@code docs/doctor.schema.json}. */
    private record Document(int exitCode, List<Entry> findings) {}

    private record Entry(String level, List<String> nodes, String subject, String found, String advice) {}

    void add(Finding finding, List<String> some) {
        findings.computeIfAbsent(finding, first -> new ArrayList<>()).addAll(some);
    }

    /** Adds subjects that differ between the nodes that have them. */
    void compare() {
        findings.keySet().stream()
                .filter(finding ->
                        finding.level() == Finding.Level.OK && !finding.advice().isEmpty())
                .collect(Collectors.groupingBy(Finding::subject))
                .forEach(this::compare);
    }

    private void compare(String subject, List<Finding> all) {
        long count =
                all.stream().flatMap(one -> nodesWith(one).stream()).distinct().count();
        String some = all.stream()
                .filter(one -> nodesWith(one).size() < count)
                .map(one -> names(nodesWith(one)) + ": " + one.found())
                .collect(Collectors.joining("; "));
        if (!some.isEmpty()) {
            add(Finding.of("differs", subject, some, all.get(0).advice()), nodes);
        }
    }

    private List<String> nodesWith(Finding finding) {
        return findings.getOrDefault(finding, List.of());
    }

    /** For example {@code nodes 0-2,5}. */
    private static String names(List<String> some) {
        BitSet numbers = new BitSet();
        some.stream()
                .filter(name -> name.matches("node-[0-9]{1,6}"))
                .forEach(name -> numbers.set(Integer.parseInt(name.replace("node-", ""))));
        return numbers.isEmpty() || numbers.cardinality() < some.size()
                ? String.join(", ", some)
                : (some.size() == 1 ? "node " : "nodes ") + String.join(",", Ranges.of(numbers));
    }

    /** Writes the report. Returns the exit code. */
    int write(boolean isJson) {
        int code = count(Finding.Level.WRONG) > 0 ? ExitCode.CONFIGURATION.code() : 0;
        if (!StandardOutput.write(isJson ? json(code) : text())) {
            return ExitCode.UNAVAILABLE.code();
        }
        if (code != 0) {
            console.say(
                    "exit " + code + ": the job would fail" + (nodes.isEmpty() ? " on this node: " : ": ") + summary());
        }
        return code;
    }

    private long count(Finding.Level level) {
        return findings.keySet().stream()
                .filter(finding -> finding.level() == level)
                .count();
    }

    /** For example {@code 14 ok, 1 warning, 2 wrong}. */
    private String summary() {
        long warnings = count(Finding.Level.WARNING);
        return count(Finding.Level.OK) + " ok, " + warnings + (warnings == 1 ? " warning, " : " warnings, ")
                + count(Finding.Level.WRONG) + " wrong";
    }

    /** The order of findings. For one node the worst is last, where a terminal shows it; for many nodes it is first. */
    private List<Finding> sorted() {
        Comparator<Finding> order = Comparator.comparing(Finding::level);
        return findings.keySet().stream()
                .sorted(nodes.isEmpty() ? order : order.reversed())
                .toList();
    }

    /** The text for people. It leaves out good findings that only some nodes have. */
    private String text() {
        List<List<String>> rows = sorted().stream()
                .filter(finding -> finding.level() != Finding.Level.OK
                        || nodesWith(finding).size() == nodes.size())
                .map(this::entry)
                .map(entry -> List.of(entry.level, names(entry.nodes), entry.subject, text(entry)))
                .toList();
        return Columns.align(rows) + summary() + "\n";
    }

    private static String text(Entry entry) {
        return entry.advice.isEmpty() ? entry.found : entry.found + ". " + entry.advice;
    }

    private String json(int exitCode) {
        return Json.indented(
                new Document(exitCode, sorted().stream().map(this::entry).toList()));
    }

    private Entry entry(Finding finding) {
        return new Entry(
                finding.level().name().toLowerCase(Locale.ROOT),
                nodesWith(finding),
                shown(finding.subject()),
                shown(finding.found()),
                finding.level() == Finding.Level.OK ? "" : shown(finding.advice()));
    }

    private String shown(String text) {
        return Printable.escape(console.masked(text));
    }
}
