package dev.muster.runtime.simulate;

import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.ExitCodes;
import dev.muster.runtime.report.ProcessReport;
import dev.muster.runtime.report.VerdictText;
import dev.muster.runtime.supervise.PlanRun;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Tells how a simulation went: a table of all processes, where its files are, and what the first failure was. */
final class SimulationReport {

    private final List<VirtualNode> nodes;
    private final PlanRun.Result result;
    private final String jobId;
    private final NodeTable table = new NodeTable();
    private final FirstFailure first = new FirstFailure();

    SimulationReport(List<VirtualNode> nodes, PlanRun.Result result, String jobId) {
        this.nodes = nodes;
        this.result = result;
        this.jobId = jobId;
    }

    /** @return the exit code of the simulation */
    int tell(Path directory, ExitCodes codes, Consumer<String> say) {
        Optional<VirtualNode> failedLauncher = Optional.empty();
        for (int index = 0; index < nodes.size(); index++) {
            VirtualNode node = nodes.get(index);
            Optional<NodeResult> left = node.result(jobId);
            ProcessReport launcher = result.verdict().processes().get(index);
            table.add(node.label(), left, launcher);
            first.consider(node.title(), left);
            if (result.verdict().cause() instanceof Cause.ProcessFailed failed
                    && failed.process().equals(launcher.spec())) {
                failedLauncher = Optional.of(node);
            }
        }
        table.lines().forEach(say);
        say.accept("files of this simulation: " + directory);
        if (failedLauncher.isPresent()) {
            // No process failed: that node's launcher ended the job for a reason of its own.
            first.orElse(failedLauncher.get().title(), failedLauncher.get().result(jobId));
        }
        if (failedLauncher.isPresent() && first.isKnown()) {
            say.accept("exit " + first.exitCode() + ": " + first.reason());
            return first.exitCode();
        }
        int code = codes.of(result.verdict().cause());
        VerdictText.lines(result.verdict(), code, result.logs()).forEach(say);
        return code;
    }
}
