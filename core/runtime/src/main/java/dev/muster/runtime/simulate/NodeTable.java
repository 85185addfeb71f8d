package dev.muster.runtime.simulate;

import dev.muster.runtime.json.JsonReader;
import dev.muster.runtime.json.JsonReading;
import dev.muster.runtime.process.Termination;
import dev.muster.runtime.report.NodeRun;
import dev.muster.runtime.report.ProcessReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The table at the end of a simulation: what became of every rank on every node, as the nodes' own results say. */
final class NodeTable {

    private static final List<String> HEAD = List.of("NODE", "RANK", "PID", "ENDED", "DURATION");
    private static final String UNKNOWN = "-";

    private final List<List<String>> rows = new ArrayList<>();

    NodeTable() {
        rows.add(HEAD);
    }

    /** Adds the ranks of a node; only the node itself when its launcher left no result. */
    void add(VirtualNode node, String jobId, ProcessReport launcher) {
        String index = Integer.toString(node.node().index());
        Path result = node.logDirectory().resolve(NodeRun.resultFileName(jobId, index));
        List<?> processes = processes(result);
        for (Object process : processes) {
            if (process instanceof Map<?, ?> fields) {
                rows.add(row(index, fields));
            }
        }
        if (processes.isEmpty()) {
            String ended = launcher.termination().map(Termination::describe).orElse("not started");
            rows.add(List.of(
                    index,
                    UNKNOWN,
                    UNKNOWN,
                    "launcher: " + ended,
                    seconds(launcher.duration().toMillis())));
        }
    }

    /** The lines, columns aligned. */
    List<String> lines() {
        int[] widths = new int[HEAD.size()];
        for (List<String> row : rows) {
            for (int column = 0; column < widths.length; column++) {
                widths[column] = Math.max(widths[column], row.get(column).length());
            }
        }
        return rows.stream().map(row -> line(row, widths)).toList();
    }

    private static String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            String cell = row.get(column);
            line.append(cell).append(" ".repeat(widths[column] - cell.length() + 2));
        }
        return line.toString().stripTrailing();
    }

    private static List<String> row(String node, Map<?, ?> process) {
        Object rank = process.get("rank");
        boolean stopped = Boolean.TRUE.equals(process.get("stoppedByMuster"));
        Object duration = process.get("durationMs");
        return List.of(
                node,
                String.valueOf(rank == null ? process.get("id") : rank),
                String.valueOf(process.get("pid")),
                process.get("ended") + (stopped ? ", stopped by Muster" : ""),
                duration instanceof Long millis ? seconds(millis) : UNKNOWN);
    }

    private static List<?> processes(Path result) {
        try {
            if (JsonReader.read(Files.readAllBytes(result)) instanceof JsonReading.Complete complete
                    && complete.content().get("processes") instanceof List<?> processes) {
                return processes;
            }
            return List.of();
        } catch (IOException noResult) {
            // A node that was refused before anything was started has none.
            return List.of();
        }
    }

    private static String seconds(long millis) {
        long hundredths = millis / 10;
        return hundredths / 100 + "." + (hundredths % 100 < 10 ? "0" : "") + hundredths % 100 + " s";
    }
}
