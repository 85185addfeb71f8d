package dev.muster.runtime.simulate;

import dev.muster.runtime.process.Termination;
import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.ExitCodes;
import dev.muster.runtime.report.ProcessReport;
import dev.muster.runtime.report.VerdictText;
import dev.muster.runtime.supervise.PlanRun;
import dev.muster.runtime.text.Columns;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/** Tells how a simulation went: a table of all processes, where its files are, and what the first failure was. */
final class SimulationReport {

    /** Times are counted back on clocks that run apart a little; what comes so close after a killed launcher is its effect. */
    private static final Duration CLOCK_ERROR = Duration.ofMillis(100);

    private static final String UNKNOWN = "-";

    private final List<VirtualNode> nodes;
    private final PlanRun.Result result;
    private final Instant endedAt;
    private final String jobId;
    private final RankFaults faults;
    private final List<List<String>> table = new ArrayList<>();
    private final FirstFailure first = new FirstFailure();
    private final EndedRuns runs = new EndedRuns();
    /** Whether it is one of the nodes that ended the job; if so, when at the latest, where it could not say why. */
    private boolean isOfANode;

    private Optional<Instant> silentEnd = Optional.empty();

    /**
     * @param endedAt the time now: how long ago things happened is what the result says
     * @param faults that were to happen
     */
    SimulationReport(List<VirtualNode> nodes, PlanRun.Result result, Instant endedAt, String jobId, RankFaults faults) {
        this.nodes = nodes;
        this.result = result;
        this.endedAt = endedAt;
        this.jobId = jobId;
        this.faults = faults;
    }

    /** @return the exit code of the simulation */
    int tell(Path directory, ExitCodes codes, Consumer<String> say) {
        readResults();
        runs.lines().forEach(say);
        Columns.align(table).lines().forEach(say);
        faults.notReached(runs.last()).forEach(say);
        say.accept("files of this simulation: " + directory);
        if (isOfANode && first.isKnownBefore(silentEnd)) {
            say.accept("exit " + first.exitCode() + ": " + first.reason());
            return first.exitCode();
        }
        int code = codes.of(result.verdict().cause());
        VerdictText.lines(result.verdict().remarked(runs.remark()), code, result.logs())
                .forEach(say);
        return code;
    }

    private void readResults() {
        table.add(List.of("NODE", "RANK", "PID", "ENDED", "DURATION"));
        for (int index = 0; index < nodes.size(); index++) {
            VirtualNode node = nodes.get(index);
            Optional<NodeResult> left = node.result(jobId);
            ProcessReport launcher = result.verdict().processes().get(index);
            left.ifPresentOrElse(ended -> add(node, ended), () -> add(node, launcher));
            if (isCause(launcher)) {
                isOfANode = true;
                silentEnd = left.isPresent()
                        ? Optional.empty()
                        : Optional.of(endedAt.minus(launcher.age()).minus(CLOCK_ERROR));
            }
        }
    }

    /** A node whose launcher left no result. */
    private void add(VirtualNode node, ProcessReport launcher) {
        String ended = launcher.termination().map(Termination::describe).orElse("not started");
        String duration = seconds(launcher.duration().toMillis());
        table.add(List.of(node.label(), UNKNOWN, UNKNOWN, "launcher: " + ended, duration));
    }

    private void add(VirtualNode node, NodeResult ended) {
        ended.processes().forEach(process -> add(node, process));
        runs.add(node.title(), ended);
        if (ended.exitCode() != 0) {
            first.consider(
                    ended.decided(),
                    ended.exitCode(),
                    ended.isElsewhere() ? ended.reason() : node.title() + ": " + ended.reason(),
                    !ended.isElsewhere());
        }
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
