package dev.muster.runtime.link;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** What a launcher said of its processes. Times are on that launcher's clock. */
final class Processes {

    /** A peer that makes up processes must not fill the memory. */
    private static final int MOST = 4096;

    private final Map<String, Known> known = new LinkedHashMap<>();

    private static final class Known {
        private Said.@Nullable Started started;
        private OptionalLong readyAt = OptionalLong.empty();
        private Said.@Nullable Ended ended;
    }

    void started(Said.Started started) {
        process(started.process()).started = started;
    }

    void ready(Said.Ready ready) {
        process(ready.process()).readyAt = OptionalLong.of(ready.nanoTime());
    }

    void ended(Said.Ended ended) {
        process(ended.process()).ended = ended;
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
        return process == null || process.ended == null
                ? OptionalLong.empty()
                : OptionalLong.of(process.ended.nanoTime());
    }

    /** @param here translates times */
    List<LinkReport.ProcessEnd> report(LongUnaryOperator here) {
        return known.entrySet().stream()
                .filter(process -> process.getValue().started != null)
                .map(process -> report(process.getKey(), process.getValue(), here))
                .toList();
    }

    private static LinkReport.ProcessEnd report(String id, Known process, LongUnaryOperator here) {
        Optional<Said.Started> started = Optional.ofNullable(process.started);
        Optional<Said.Ended> ended = Optional.ofNullable(process.ended);
        return new LinkReport.ProcessEnd(
                id,
                started.map(Said.Started::rank).orElse(OptionalInt.empty()),
                started.map(Said.Started::pid).orElse(0L),
                started.flatMap(Said.Started::log),
                time(started.map(Said.Started::nanoTime), here),
                time(ended.map(Said.Ended::nanoTime), here),
                ended.map(end -> OptionalInt.of(end.exitCode())).orElse(OptionalInt.empty()),
                ended.map(Said.Ended::signal).orElse(OptionalInt.empty()),
                ended.map(Said.Ended::description),
                ended.map(Said.Ended::stoppedByUs).orElse(false));
    }

    private static OptionalLong time(Optional<Long> there, LongUnaryOperator here) {
        return there.map(time -> OptionalLong.of(here.applyAsLong(time))).orElse(OptionalLong.empty());
    }
}
