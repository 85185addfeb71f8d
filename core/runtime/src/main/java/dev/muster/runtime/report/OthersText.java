package dev.muster.runtime.report;

import dev.muster.runtime.process.Termination;
import dev.muster.spi.ProcessSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** What the processes of a node were doing whose end was not what ended the job. */
final class OthersText {

    private static final int SIGKILL = 9;

    private final List<ProcessReport> others;

    /** Steps are the engine's own. */
    OthersText(Verdict verdict) {
        others = verdict.processes().stream()
                .filter(process -> !(process.spec() instanceof ProcessSpec.Step))
                .filter(process -> !isCause(verdict, process))
                .toList();
    }

    static boolean isCause(Verdict verdict, ProcessReport process) {
        return verdict.cause() instanceof Cause.OfProcess ended
                && ended.process().equals(process.spec());
    }

    /** Empty when there are none. */
    Optional<String> afterFailure() {
        List<String> parts = new ArrayList<>();
        add(parts, process -> process.stoppedByUs() && !wasKilled(process), "stopped");
        add(parts, process -> process.stoppedByUs() && wasKilled(process), "stopped with SIGKILL");
        add(parts, OthersText::hasSucceeded, "already done");
        add(parts, process -> process.forgiven() && !hasSucceeded(process), "left to end");
        add(parts, process -> process.pid() == 0 && process.termination().isEmpty(), "never started");
        return parts.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", parts));
    }

    /** Which tasks had not finished when the job was stopped; empty when there was none. */
    Optional<String> afterStop() {
        List<ProcessSpec> unfinished =
                tasks(process -> process.pid() > 0 && !hasSucceeded(process) && !process.failed());
        List<ProcessSpec> killed = tasks(process -> process.stoppedByUs() && wasKilled(process));
        if (unfinished.isEmpty()) {
            return Optional.empty();
        }
        String grace = killed.isEmpty() ? "" : "; SIGKILL after the grace period: " + RankRanges.of(killed);
        return Optional.of("not finished: " + RankRanges.of(unfinished) + " (" + unfinished.size() + " of "
                + tasks(process -> true).size() + ")" + grace);
    }

    /** For example {@code ranks 0-2,4-7 were stopped (7)}. */
    private void add(List<String> parts, Predicate<ProcessReport> isMeant, String what) {
        List<ProcessSpec> meant = specs(isMeant);
        if (meant.size() > 1) {
            parts.add(RankRanges.of(meant) + " were " + what + " (" + meant.size() + ")");
        } else if (meant.size() == 1) {
            parts.add(RankRanges.of(meant) + " was " + what);
        }
    }

    private List<ProcessSpec> tasks(Predicate<ProcessReport> isMeant) {
        return specs(isMeant).stream()
                .filter(process -> process instanceof ProcessSpec.Task)
                .toList();
    }

    private List<ProcessSpec> specs(Predicate<ProcessReport> isMeant) {
        return others.stream().filter(isMeant).map(ProcessReport::spec).toList();
    }

    private static boolean hasSucceeded(ProcessReport process) {
        return !process.stoppedByUs()
                && process.termination().map(Termination::isSuccess).orElse(false);
    }

    private static boolean wasKilled(ProcessReport process) {
        return process.termination()
                .filter(how -> how.signal().orElse(0) == SIGKILL)
                .isPresent();
    }
}
