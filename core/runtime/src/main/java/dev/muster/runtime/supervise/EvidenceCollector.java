package dev.muster.runtime.supervise;

import dev.muster.runtime.diagnostics.FailedRank;
import dev.muster.runtime.diagnostics.LastWords;
import dev.muster.runtime.diagnostics.SharedOutput;
import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.output.OutputHub;
import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.Evidence;
import dev.muster.runtime.report.Verdict;
import dev.muster.runtime.text.Printable;
import dev.muster.runtime.text.Shortened;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.RankLines;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Collects evidence about the process whose failure ended the job: its last output, its command, and the rank that failed. */
record EvidenceCollector(PreparedPlan plan, RunSettings settings, OutputHub hub) {

    private static final int LONGEST_COMMAND = 160;
    private static final int UNCAUGHT = 1;

    /** The verdict, with evidence if this node has any. */
    Verdict addTo(Verdict verdict) {
        if (verdict.cause() instanceof Cause.ProcessFailed failed) {
            Cause.ProcessFailed explained = withReasonOfHook(failed);
            return ofPlan(verdict.because(explained), explained);
        }
        boolean isOfRank = verdict.cause() instanceof Cause.Elsewhere elsewhere
                && elsewhere.end().kind() == JobEnd.Kind.FAILED
                && elsewhere.end().rank().isPresent();
        return isOfRank && printer().isPresent()
                ? verdict.with(evidence(
                        "",
                        said(
                                printer().get(),
                                ((Cause.Elsewhere) verdict.cause()).end().rank(),
                                OptionalInt.empty()),
                        Optional.empty()))
                : verdict;
    }

    /** The last output of a process, or of its rank that it reports as failed. */
    List<String> words(ProcessSpec process) {
        return culprit(process)
                .map(rank -> said(process, OptionalInt.of(rank.rank()), rank.local()))
                .filter(Evidence.Words::isOwn)
                .map(Evidence.Words::lines)
                .orElseGet(() -> LastWords.of(text(process), settings::masked, true));
    }

    /** A hook is a command of the engine: the last line of a failed hook is the reason for the user. */
    private Cause.ProcessFailed withReasonOfHook(Cause.ProcessFailed failed) {
        if (!(failed.process() instanceof ProcessSpec.Hook) || failed.reason().isPresent()) {
            return failed;
        }
        String text = text(failed.process()).strip();
        String line = text.substring(text.lastIndexOf('\n') + 1).strip();
        Optional<String> reason =
                Optional.of(line).filter(last -> !last.isEmpty()).map(Printable::escape);
        return new Cause.ProcessFailed(failed.process(), failed.pid(), failed.termination(), reason);
    }

    private Verdict ofPlan(Verdict verdict, Cause.ProcessFailed failed) {
        ProcessSpec process = failed.process();
        Optional<FailedRank> culprit = culprit(process);
        return culprit.isPresent()
                ? ofCulprit(verdict, failed, culprit.get())
                : verdict.with(evidence(command(plan.command(process)), own(process, failed), culprit));
    }

    private Optional<FailedRank> culprit(ProcessSpec process) {
        return process.rankLines().flatMap(lines -> shared(process, lines).culprit());
    }

    private Verdict ofCulprit(Verdict verdict, Cause.ProcessFailed failed, FailedRank culprit) {
        ProcessSpec process = failed.process();
        String rank = failed.reason()
                .filter(why -> why.startsWith("rank " + culprit.rank() + " "))
                .orElseGet(() -> ended(culprit)
                        + failed.reason().map(more -> "; " + more).orElse(""));
        Optional<String> host = failed.reason().flatMap(settings.job()::otherHost);
        Evidence.Words said = said(process, OptionalInt.of(culprit.rank()), culprit.local());
        return verdict.because(new Cause.ProcessFailed(process, failed.pid(), failed.termination(), Optional.of(rank)))
                .with(evidence(command(settings.job().command()), said, Optional.of(culprit.on(host))));
    }

    private Evidence evidence(String command, Evidence.Words words, Optional<FailedRank> culprit) {
        String node =
                culprit.flatMap(FailedRank::otherHost).orElse(settings.job().node());
        return new Evidence(node, command, words, culprit);
    }

    /** The process through which all hosted ranks print. */
    private Optional<ProcessSpec> printer() {
        return plan.plan().processes().stream()
                .filter(process ->
                        process.hosted().isPresent() && process.rankLines().isPresent())
                .findFirst();
    }

    private Evidence.Words own(ProcessSpec process, Cause.ProcessFailed failed) {
        // If no rank printed anything, the output is that of their host.
        Optional<SharedOutput> ranks = process.rankLines()
                .map(lines -> shared(process, lines))
                .filter(output -> !output.ofRanks().isBlank());
        if (ranks.isPresent()) {
            return new Evidence.Words(LastWords.ofSeveral(ranks.get(), settings::masked), Optional.empty(), true);
        }
        boolean isUncaught =
                failed.termination().signal().isEmpty() && failed.termination().exitCode() == UNCAUGHT;
        return new Evidence.Words(LastWords.of(text(process), settings::masked, isUncaught), Optional.empty(), true);
    }

    private Evidence.Words said(ProcessSpec printer, OptionalInt rank, OptionalInt local) {
        SharedOutput output = shared(printer, printer.rankLines().orElseThrow());
        Optional<List<String>> marked = rank.isEmpty()
                ? Optional.empty()
                : ofRank(printer, rank.getAsInt(), local).map(text -> LastWords.of(text, settings::masked, true));
        List<String> lines = marked.orElseGet(() -> LastWords.ofSeveral(output, settings::masked));
        return new Evidence.Words(lines, Optional.of(printer.id()), marked.isPresent());
    }

    /** From the rank's own output, or else from its lines in the shared output. */
    private Optional<String> ofRank(ProcessSpec printer, int rank, OptionalInt local) {
        return hub.lastOfRank(rank)
                .or(() -> shared(printer, printer.rankLines().orElseThrow()).ofRank(rank, local));
    }

    private SharedOutput shared(ProcessSpec process, RankLines lines) {
        return new SharedOutput(text(process), hub.lastBeforeStop(process.id()), lines);
    }

    private String text(ProcessSpec process) {
        return hub.last(process.id());
    }

    private static String ended(FailedRank culprit) {
        String how = Evidence.endOf(culprit).map(end -> " " + end.predicate()).orElse(" failed");
        return "rank " + culprit.rank()
                + (culprit.pid().isPresent() ? " (pid " + culprit.pid().getAsLong() + ")" : "") + how;
    }

    private String command(List<String> command) {
        List<String> words = settings.job().secrets().show(command);
        return Shortened.begun(LONGEST_COMMAND, Printable.escape(settings.masked(String.join(" ", words))));
    }
}
