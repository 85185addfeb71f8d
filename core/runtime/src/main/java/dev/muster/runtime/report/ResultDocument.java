package dev.muster.runtime.report;

import dev.muster.runtime.json.Json;
import dev.muster.runtime.memory.MemoryKills;
import dev.muster.runtime.output.LogReport;
import dev.muster.runtime.process.ResourceUse;
import dev.muster.runtime.process.Termination;
import java.time.Instant;
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
        JobDocument.addTo(document, verdict, exitCode, endedAt);
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
}
