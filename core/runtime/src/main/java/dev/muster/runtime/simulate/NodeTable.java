package dev.muster.runtime.simulate;

import dev.muster.runtime.process.Termination;
import dev.muster.runtime.report.ProcessReport;
import dev.muster.runtime.text.Columns;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The table at the end of a simulation: what became of every rank on every node, as the nodes' own results say. */
final class NodeTable {

    private static final List<String> HEAD = List.of("NODE", "RANK", "PID", "ENDED", "DURATION");
    private static final String UNKNOWN = "-";

    private final List<List<String>> rows = new ArrayList<>();

    NodeTable() {
        rows.add(HEAD);
    }

    /** Adds the ranks of a node; only its launcher when that left no result. */
    void add(String node, Optional<NodeResult> result, ProcessReport launcher) {
        if (result.isEmpty()) {
            String ended = launcher.termination().map(Termination::describe).orElse("not started");
            rows.add(List.of(
                    node,
                    UNKNOWN,
                    UNKNOWN,
                    "launcher: " + ended,
                    seconds(launcher.duration().toMillis())));
            return;
        }
        for (NodeResult.ProcessEntry process : result.get().processes()) {
            rows.add(List.of(
                    node,
                    process.name(),
                    process.pid() == 0 ? UNKNOWN : Long.toString(process.pid()),
                    process.ended() + (process.stoppedByMuster() ? ", stopped by Muster" : ""),
                    seconds(process.durationMs())));
        }
    }

    /** The lines, columns aligned. */
    List<String> lines() {
        return Columns.align(rows).lines().toList();
    }

    private static String seconds(long millis) {
        long hundredths = millis / 10;
        return hundredths / 100 + "." + (hundredths % 100 < 10 ? "0" : "") + hundredths % 100 + " s";
    }
}
