package dev.muster.runtime.report;

import dev.muster.runtime.json.Json;
import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.link.LinkReport;
import dev.muster.runtime.memory.MemoryKills;
import dev.muster.runtime.output.LogReport;
import dev.muster.runtime.process.ResourceUse;
import dev.muster.runtime.process.SignalNames;
import dev.muster.runtime.process.Termination;
import dev.muster.spi.LauncherNodes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The verdict for machines: the content of {@code result.json} as JDK maps and lists. */
final class ResultDocument {

    /** Raised when a field changes its meaning; new fields do not raise it. */
    private static final long FORMAT = 2;

    private ResultDocument() {}

    /**
     * @param number which run of the job on this node it was, counted from 1
     * @param runs in place, in their order
     */
    public static Map<String, Object> of(
            NodeRun run,
            int number,
            Verdict verdict,
            int exitCode,
            Map<String, LogReport> logs,
            Instant endedAt,
            List<Map<String, Object>> runs) {
        Map<String, Object> document = new LinkedHashMap<>();
        addNode(document, run, verdict.planName());
        document.put("attempt", (long) number);
        run.platformRestarts().ifPresent(starts -> document.put("platformRestarts", starts));
        document.put("exitCode", (long) exitCode);
        document.put("exitCodeFrom", verdict.cause().source());
        document.put("stopped", verdict.cause().kind().equals("stop"));
        document.put("reason", VerdictText.reason(verdict, logs));
        VerdictDocument.addTo(document, verdict, exitCode, logs);
        VerdictDocument.addTimes(document, run.startedAt(), verdict, endedAt);
        document.put(
                "processes",
                verdict.processes().stream()
                        .map(process -> process(process, logs, endedAt))
                        .toList());
        document.put("attempts", runs);
        verdict.memory().ifPresent(kills -> document.put("memory", memory(kills)));
        addJob(document, verdict, exitCode, endedAt);
        return document;
    }

    private static void addNode(Map<String, Object> document, NodeRun run, Optional<String> planName) {
        document.put("format", FORMAT);
        document.put("jobId", run.jobId());
        document.put("engine", run.engine());
        document.put("platform", run.platform());
        document.put("platformReason", run.platformReason());
        document.put("node", run.nodeName());
        planName.ifPresent(name -> document.put("name", name));
        run.nodeIndex().ifPresent(index -> document.put("nodeIndex", (long) index));
        run.nodeCount().ifPresent(count -> document.put("nodeCount", (long) count));
    }

    private static Map<String, Object> process(ProcessReport report, Map<String, LogReport> logs, Instant verdictAt) {
        Map<String, Object> process = new LinkedHashMap<>();
        process.put("id", report.spec().id());
        report.spec().placement().ifPresent(placement -> {
            process.put("rank", (long) placement.rank());
            process.put("localRank", (long) placement.localRank());
        });
        process.put("pid", report.pid());
        process.put("ended", ended(report));
        report.termination().ifPresent(how -> {
            process.put("exitCode", (long) how.exitCode());
            process.put("endedAt", verdictAt.minus(report.age()).toString());
            how.signal().ifPresent(number -> process.put("signal", (long) number));
        });
        process.put("stoppedByMuster", report.stoppedByUs());
        process.put("durationMs", report.duration().toMillis());
        report.use().ifPresent(use -> addUse(process, use));
        Optional.ofNullable(logs.get(report.spec().id())).ifPresent(log -> addLog(process, log));
        return process;
    }

    private static void addUse(Map<String, Object> process, ResourceUse use) {
        process.put("peakMemoryBytes", use.peakMemoryBytes());
        process.put("userCpuMs", use.user().toMillis());
        process.put("systemCpuMs", use.system().toMillis());
    }

    private static void addLog(Map<String, Object> process, LogReport log) {
        log.file().ifPresent(file -> process.put("log", file.toString()));
        process.put("bytesLogged", log.bytesLogged());
        process.put("bytesLost", log.bytesLost());
    }

    private static String ended(ProcessReport report) {
        return report.termination().map(Termination::describe).orElse(report.pid() == 0 ? "not started" : "not ended");
    }

    private static Map<String, Object> memory(MemoryKills kills) {
        Map<String, Object> memory = Json.toMap(kills);
        memory.remove("limit");
        kills.limit().ifPresent(limit -> memory.putAll(Json.toMap(limit)));
        return memory;
    }

    /** Adds what is known of the whole job; nothing for a launcher that is alone. */
    private static void addJob(Map<String, Object> document, Verdict verdict, int exitCode, Instant endedAt) {
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
