package dev.muster.runtime.simulate;

import dev.muster.runtime.process.Termination;
import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.ExitCodes;
import dev.muster.runtime.report.ProcessReport;
import dev.muster.runtime.report.VerdictText;
import dev.muster.runtime.supervise.PlanRun;
import dev.muster.runtime.text.Columns;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Reports a simulation: a table of all processes, the place of its files, and the first failure. */
final class SimulationReport {

    private static final String UNKNOWN = "-";

    private final List<VirtualNode> nodes;
    private final PlanRun.Result result;
    private final String jobId;
    private final RankFaults faults;
    private final List<List<String>> table = new ArrayList<>();
    private final Map<VirtualNode, NodeResult> results = new LinkedHashMap<>();
    /** Whether the node that ended the job left a result. */
    private boolean isTold;

    /** @param faults the planned faults */
    SimulationReport(List<VirtualNode> nodes, PlanRun.Result result, String jobId, RankFaults faults) {
        this.nodes = nodes;
        this.result = result;
        this.jobId = jobId;
        this.faults = faults;
    }

    /** @return the exit code of the simulation */
    int print(Path directory, ExitCodes codes, Consumer<String> say) {
        readResults();
        int runs = printAttempts(say);
        Columns.align(table).lines().forEach(say);
        faults.notReached(runs).forEach(say);
        say.accept("files of this simulation: " + directory);
        Optional<Map.Entry<VirtualNode, NodeResult>> first = firstFailure();
        if (isTold && first.isPresent()) {
            NodeResult end = first.get().getValue();
            String title = end.isElsewhere() ? "" : first.get().getKey().title() + ": ";
            say.accept("exit " + end.exitCode() + ": " + title + end.reason());
            return end.exitCode();
        }
        int code = codes.of(result.verdict().cause());
        String remark = runs > 1 ? "after " + runs + " runs" : "";
        VerdictText.lines(result.verdict().remarked(remark), code, result.logs())
                .forEach(say);
        return code;
    }

    /** @return the number of runs */
    private int printAttempts(Consumer<String> say) {
        SortedMap<Integer, String> runs = new TreeMap<>();
        results.forEach((node, end) -> end.attempts().forEach(run -> add(node, run, runs)));
        int last = runs.isEmpty() ? 1 : runs.lastKey();
        runs.headMap(last).values().forEach(say);
        if (last > 1) {
            say.accept("run " + last + " was the last:");
        }
        return last;
    }

    /** Adds a run, in the words of the node where its end began. If a launcher was lost, there may be no such node. */
    private static void add(VirtualNode node, NodeResult.Attempt run, Map<Integer, String> runs) {
        String end = "run " + run.attempt() + " ended with " + run.exitCode() + ": ";
        if (run.isElsewhere() || run.exitCode() == 0) {
            runs.putIfAbsent(run.attempt(), end + run.reason());
        } else {
            runs.put(run.attempt(), end + node.title() + ": " + run.reason());
        }
    }

    private void readResults() {
        table.add(List.of("NODE", "RANK", "PID", "ENDED", "DURATION"));
        for (int index = 0; index < nodes.size(); index++) {
            VirtualNode node = nodes.get(index);
            Optional<NodeResult> left = node.result(jobId);
            ProcessReport launcher = result.verdict().processes().get(index);
            left.ifPresentOrElse(ended -> add(node, ended), () -> add(node, launcher));
            isTold |= left.isPresent() && isCause(launcher);
        }
    }

    /**
     * The first failure. A node that failed itself comes before one that was told. Its launcher may end later than others, because it
     * stops its ranks.
     */
    private Optional<Map.Entry<VirtualNode, NodeResult>> firstFailure() {
        return results.entrySet().stream()
                .filter(node -> node.getValue().exitCode() != 0)
                .min(Map.Entry.comparingByValue(
                        Comparator.comparing(NodeResult::isElsewhere).thenComparing(NodeResult::decided)));
    }

    /** A node whose launcher left no result. */
    private void add(VirtualNode node, ProcessReport launcher) {
        String ended = launcher.termination().map(Termination::describe).orElse("not started");
        String duration = seconds(launcher.duration().toMillis());
        table.add(List.of(node.label(), UNKNOWN, UNKNOWN, "launcher: " + ended, duration));
    }

    private void add(VirtualNode node, NodeResult ended) {
        ended.processes().forEach(process -> add(node, process));
        results.put(node, ended);
    }

    private void add(VirtualNode node, NodeResult.ProcessEntry process) {
        String pid = process.pid() == 0 ? UNKNOWN : Long.toString(process.pid());
        String ended = process.ended() + (process.stoppedByMuster() ? ", stopped by Muster" : "");
        table.add(List.of(node.label(), process.name(), pid, ended, seconds(process.durationMs())));
    }

    private static String seconds(long millis) {
        return String.format(Locale.ROOT, "%d.%02d s", millis / 1000, millis / 10 % 100);
    }

    private boolean isCause(ProcessReport launcher) {
        return result.verdict().cause() instanceof Cause.OfProcess ended
                && ended.process().equals(launcher.spec());
    }
}
