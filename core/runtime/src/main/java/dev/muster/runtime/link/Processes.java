package dev.muster.runtime.link;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What a launcher said of its processes. Times are on the leader's clock. */
final class Processes {

    /** A peer that makes up processes must not fill the memory. */
    private static final int MOST = 4096;

    private final Map<String, Known> known = new LinkedHashMap<>();

    private static final class Known {
        private Said.@Nullable Started started;
        private Said.@Nullable Ended ended;
        private OptionalLong startedAt = OptionalLong.empty();
        private OptionalLong readyAt = OptionalLong.empty();
        private OptionalLong endedAt = OptionalLong.empty();
    }

    /** @param when by the leader's clock */
    void started(Said.Started started, long when) {
        Known process = process(started.process());
        process.started = started;
        process.startedAt = OptionalLong.of(when);
    }

    void ready(Said.Ready ready, long when) {
        process(ready.process()).readyAt = OptionalLong.of(when);
    }

    void ended(Said.Ended ended, long when) {
        Known process = process(ended.process());
        process.ended = ended;
        process.endedAt = OptionalLong.of(when);
    }

    private Known process(String id) {
        Known process = known.get(id);
        if (process == null) {
            process = new Known();
            if (known.size() < MOST) {
                known.put(id, process);
            }
        }
        return process;
    }

    /** When a process became ready. */
    OptionalLong readyAt(String id) {
        Known process = known.get(id);
        return process == null ? OptionalLong.empty() : process.readyAt;
    }

    /** When a process ended. */
    OptionalLong endedAt(String id) {
        Known process = known.get(id);
        return process == null ? OptionalLong.empty() : process.endedAt;
    }

    List<LinkReport.ProcessEnd> report() {
        return known.entrySet().stream()
                .filter(process -> process.getValue().started != null)
                .map(process -> report(process.getKey(), process.getValue()))
                .toList();
    }

    private static LinkReport.ProcessEnd report(String id, Known process) {
        Optional<Said.Started> started = Optional.ofNullable(process.started);
        Optional<Said.Ended> ended = Optional.ofNullable(process.ended);
        return new LinkReport.ProcessEnd(
                id,
                started.map(Said.Started::rank).orElse(OptionalInt.empty()),
                started.map(Said.Started::pid).orElse(0L),
                started.flatMap(Said.Started::log),
                process.startedAt,
                process.endedAt,
                ended.map(end -> OptionalInt.of(end.exitCode())).orElse(OptionalInt.empty()),
                ended.map(Said.Ended::signal).orElse(OptionalInt.empty()),
                ended.map(Said.Ended::description),
                ended.map(Said.Ended::stoppedByUs).orElse(false));
    }
}
