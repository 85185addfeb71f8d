package dev.muster.runtime.report;

import dev.muster.runtime.process.Termination;
import dev.muster.runtime.words.NextStep;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** What a verdict says of a failure on this node before its last line: who, what it said, the others, where to look. */
final class FailureText {

    /** What stands before what a process said, so that nobody takes it for Muster's. */
    private static final String QUOTE = "  | ";

    private static final int SIGKILL = 9;

    private final Verdict verdict;
    private final Map<String, LogReport> logs;

    FailureText(Verdict verdict, Map<String, LogReport> logs) {
        this.verdict = verdict;
        this.logs = logs;
    }

    /** None when the job did not fail here. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        verdict.evidence().ifPresent(known -> {
            first(known).ifPresent(lines::add);
            words(known, lines);
            others().ifPresent(text -> lines.add("others: " + text));
            logDirectory().ifPresent(directory -> lines.add("logs: " + directory));
            nextStep().ifPresent(step -> lines.add("next: " + step));
        });
        return lines;
    }

    private Optional<String> first(Evidence known) {
        if (!(verdict.cause() instanceof Cause.OfProcess ended)) {
            return Optional.empty();
        }
        String node = known.node().isEmpty() ? "" : " on " + known.node();
        String pid = ended.pid() > 0 ? ", pid " + ended.pid() : "";
        String command = known.command().isEmpty() ? "" : "; command: " + known.command();
        return Optional.of("first failure: " + ProcessNames.of(ended.process()) + node + pid + ": "
                + ended.termination().describe() + command);
    }

    private void words(Evidence known, List<String> lines) {
        if (!known.words().isEmpty()) {
            String whose = known.speaker().isEmpty() ? "its last words:" : "last words of " + known.speaker() + ":";
            lines.add(whose);
            known.words().forEach(line -> lines.add(QUOTE + line));
        } else if (verdict.cause() instanceof Cause.OfProcess ended && ended.pid() > 0) {
            lines.add(known.speaker().isEmpty() ? "it said nothing" : known.speaker() + " said nothing");
        }
    }

    Optional<String> others() {
        return new OthersText(verdict).afterFailure();
    }

    /** Where the logs of all ranks are. */
    Optional<Path> logDirectory() {
        return logs.values().stream()
                .flatMap(log -> log.file().stream())
                .map(Path::getParent)
                .filter(Objects::nonNull)
                .findFirst();
    }

    /** Empty when nothing was started, which the last line explains. */
    Optional<String> nextStep() {
        if (!(verdict.cause() instanceof Cause.OfProcess ended) || ended.pid() == 0) {
            return Optional.empty();
        }
        Termination how = ended.termination();
        Optional<String> memory = verdict.memory().flatMap(kills -> kills.advice(how));
        boolean isKilled = how.signal().orElse(0) == SIGKILL;
        return verdict.evidence()
                .map(known -> memory.filter(advice -> isKilled)
                        .or(() -> NextStep.of(known.words(), how.signal()))
                        .or(() -> memory)
                        .orElseGet(() -> read(ended)));
    }

    private String read(Cause.OfProcess ended) {
        return Optional.ofNullable(logs.get(ended.process().id()))
                .flatMap(LogReport::file)
                .map(file -> "read the log " + file)
                .orElse("read what it has printed on the console");
    }
}
