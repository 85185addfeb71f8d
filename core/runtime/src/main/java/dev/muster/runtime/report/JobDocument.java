package dev.muster.runtime.report;

import dev.muster.runtime.json.Json;
import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.link.LinkReport;
import dev.muster.runtime.process.SignalNames;
import dev.muster.spi.LauncherNodes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a node's result says of the whole job. */
final class JobDocument {

    private JobDocument() {}

    /** Adds what is known; nothing for a launcher that is alone. */
    static void addTo(Map<String, Object> document, Verdict verdict, int exitCode, Instant endedAt) {
        JobReport job = verdict.job();
        if (verdict.cause() instanceof Cause.Elsewhere elsewhere) {
            document.put("origin", origin(elsewhere.end()));
        }
        job.end().ifPresent(end -> document.put("job", end(end)));
        if (!job.launchers().nodes().isEmpty()) {
            List<Object> nodes = new ArrayList<>();
            for (LinkReport.NodeEnd node : job.launchers().nodes()) {
                Map<String, Object> entry = node(node, time -> endedAt.minusNanos(job.now() - time));
                if (job.own().equals(Optional.of(node.launcher()))) {
                    // It is about to leave.
                    entry.put("state", "left");
                    entry.put("exitCode", (long) exitCode);
                }
                nodes.add(entry);
            }
            document.put("nodes", nodes);
        }
    }

    /** Who produced the exit code: a process, a signal, or a launcher. */
    static String source(JobEnd end) {
        if (end.process().isPresent()) {
            return LauncherNodes.processOf(end.process().get(), end.launcher());
        }
        return end.kind() == JobEnd.Kind.STOPPED && end.signal().isPresent()
                ? LauncherNodes.processOf(SignalNames.of(end.signal().getAsInt()), end.launcher())
                : end.launcher();
    }

    private static Map<String, Object> end(JobEnd end) {
        Map<String, Object> job = new LinkedHashMap<>();
        job.put("exitCode", (long) end.exitCode());
        job.put("exitCodeFrom", source(end));
        job.put("reason", VerdictText.elsewhere(end));
        return job;
    }

    private static Map<String, Object> origin(JobEnd end) {
        Map<String, Object> origin = Json.toMap(end);
        origin.keySet().retainAll(List.of("launcher", "host", "process", "rank", "pid", "log"));
        return origin;
    }

    /** Tells when something was on the wall clock, from the time on the leader's other clock. */
    private interface WallClock {
        Instant at(long nanoTime);
    }

    private static Map<String, Object> node(LinkReport.NodeEnd node, WallClock clock) {
        Map<String, Object> entry = Json.toMap(node);
        entry.keySet().retainAll(List.of("launcher", "host", "state", "exitCode"));
        node.cause().ifPresent(end -> entry.put("reason", end.reason()));
        entry.put(
                "processes",
                node.processes().stream()
                        .map(process -> process(process, clock))
                        .toList());
        return entry;
    }

    private static Map<String, Object> process(LinkReport.ProcessEnd process, WallClock clock) {
        Map<String, Object> entry = Json.toMap(process);
        process.startedAt()
                .ifPresent(time -> entry.put("startedAt", clock.at(time).toString()));
        process.endedAt().ifPresent(time -> entry.put("endedAt", clock.at(time).toString()));
        return entry;
    }
}
