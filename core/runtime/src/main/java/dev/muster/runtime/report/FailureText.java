package dev.muster.runtime.report;

import dev.muster.runtime.diagnostics.FailedRank;
import dev.muster.runtime.diagnostics.NextStep;
import dev.muster.runtime.output.LogReport;
import dev.muster.runtime.process.SignalNames;
import dev.muster.runtime.process.Termination;
import dev.muster.spi.RankInfo;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/** A verdict's lines about a failure on this node, without the last line: who failed, its last words, the others, where to look. */
record FailureText(Verdict verdict, Map<String, LogReport> logs) {

    /** Marks words of a process, so that no reader takes them for Muster's. */
    private static final String QUOTE = "  | ";

    /** The lines; none if the job did not fail on this node. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        verdict.evidence().ifPresent(known -> {
            first(known).ifPresent(lines::add);
            words(known, lines);
            others().ifPresent(text -> lines.add("others: " + text));
            directoryOf(logs).ifPresent(directory -> lines.add("logs: " + directory));
            nextStep().ifPresent(step -> lines.add("next: " + step));
        });
        return lines;
    }

    private Optional<String> first(Evidence known) {
        if (!(verdict.cause() instanceof Cause.OfProcess ended)) {
            return Optional.empty();
        }
        String node = known.node().isEmpty() ? "" : " on " + known.node();
        String command = known.command().isEmpty() ? "" : "; command: " + known.command();
        String who = known.culprit()
                .map(rank -> "rank " + rank.rank() + " of " + ProcessNames.of(ended.process()))
                .orElseGet(() -> ProcessNames.of(ended.process()));
        long pid = pid();
        String how = end().orElse(ended.termination()).describe();
        return Optional.of("first failure: " + who + node + (pid > 0 ? ", pid " + pid : "") + ": " + how + command);
    }

    private void words(Evidence known, List<String> lines) {
        if (!wasStarted()) {
            return;
        }
        Evidence.Words said = known.words();
        String speaker = said.speaker().orElse("");
        if (said.lines().isEmpty()) {
            lines.add((speaker.isEmpty() ? "it" : speaker) + " said nothing");
        } else {
            lines.add(speaker.isEmpty() ? "its last words:" : "last words of " + speaker + ":");
            said.lines().forEach(line -> lines.add(QUOTE + line));
        }
    }

    /** The rank that failed, if the failed process has one. */
    Optional<Integer> rank() {
        return verdict.culprit()
                .map(FailedRank::rank)
                .or(() -> failed().process().placement().map(RankInfo::rank));
    }

    /** The pid of the rank that failed; 0: unknown, or never started. */
    long pid() {
        return verdict.culprit().map(rank -> rank.pid().orElse(0)).orElse(failed().pid());
    }

    private Cause.OfProcess failed() {
        return (Cause.OfProcess) verdict.cause();
    }

    private boolean wasStarted() {
        return !(verdict.cause() instanceof Cause.OfProcess ended) || ended.pid() > 0;
    }

    Optional<String> others() {
        return new OthersText(verdict).afterFailure();
    }

    /** Where the logs of all ranks are. */
    static Optional<Path> directoryOf(Map<String, LogReport> logs) {
        return logs.values().stream()
                .flatMap(log -> log.file().stream())
                .map(Path::getParent)
                .filter(Objects::nonNull)
                .findFirst();
    }

    /** The advice; empty if no process was started (the last line tells why), or if the reason is unknown here. */
    Optional<String> nextStep() {
        Optional<Evidence.Words> words = verdict.evidence().map(Evidence::words);
        if (words.isEmpty() || !wasStarted()) {
            return Optional.empty();
        }
        Optional<Termination> end = end();
        Optional<String> memory = end.filter(
                        here -> verdict.culprit().flatMap(FailedRank::otherHost).isEmpty())
                .flatMap(how -> verdict.memory().flatMap(kills -> kills.advice(how)));
        OptionalInt signal =
                end.filter(how -> !isKilledByUs()).map(Termination::signal).orElse(OptionalInt.empty());
        return memory.filter(advice -> signal.orElse(0) == SignalNames.KILL)
                .or(() -> NextStep.of(words.get().lines(), signal))
                .or(() -> memory)
                .or(() -> log().map(file -> "read the log " + file))
                .or(() -> Optional.of("read what was printed on the console"));
    }

    private boolean isKilledByUs() {
        return verdict.cause() instanceof Cause.OfProcess ended && ended.isOverdue();
    }

    /** How the failed rank ended, if a rank failed on this node. */
    Optional<Termination> end() {
        return verdict.cause() instanceof Cause.OfProcess ended
                ? verdict.culprit().flatMap(Evidence::endOf).or(() -> Optional.of(ended.termination()))
                : Optional.empty();
    }

    /** The log of the failed process, or of the process that prints for it. */
    private Optional<Path> log() {
        Optional<Path> own = verdict.cause() instanceof Cause.OfProcess ended
                ? VerdictText.logFile(ended.process(), verdict, logs)
                : Optional.empty();
        Optional<String> speaker = verdict.evidence().map(Evidence::words).flatMap(Evidence.Words::printer);
        return own.or(
                () -> speaker.flatMap(id -> Optional.ofNullable(logs.get(id))).flatMap(LogReport::file));
    }
}
