package dev.muster.runtime.report;

import dev.muster.runtime.process.Termination;
import dev.muster.spi.Placement;
import dev.muster.spi.ProcessSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The verdict for machines: the content of {@code result.json} as JDK maps and lists. */
final class ResultDocument {

    /** Raised when a field changes its meaning; new fields do not raise it. */
    private static final long FORMAT = 1;

    private ResultDocument() {}

    /** @param number which run of the job on this node it was, counted from 1 */
    public static Map<String, Object> of(
            NodeRun run, int number, Verdict verdict, int exitCode, Map<String, LogReport> logs, Instant endedAt) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("format", FORMAT);
        document.put("jobId", run.jobId());
        document.put("engine", run.engine());
        document.put("platform", run.platform());
        document.put("platformReason", run.platformReason());
        document.put("node", run.nodeName());
        verdict.planName().ifPresent(name -> document.put("name", name));
        run.nodeIndex().ifPresent(index -> document.put("nodeIndex", (long) index));
        run.nodeCount().ifPresent(count -> document.put("nodeCount", (long) count));
        document.put("run", (long) number);
        run.platformRun().ifPresent(name -> document.put("platformRun", name));
        document.put("exitCode", (long) exitCode);
        document.put("exitCodeFrom", source(verdict.cause()));
        document.put("stopped", isStop(verdict.cause()));
        document.put("reason", VerdictText.reason(verdict, logs));
        document.put("startedAt", run.startedAt().toString());
        document.put("decidedAt", endedAt.minus(verdict.age()).toString());
        document.put("endedAt", endedAt.toString());
        document.put("durationMs", verdict.duration().toMillis());
        List<Object> processes = new ArrayList<>();
        for (ProcessReport process : verdict.processes()) {
            processes.add(
                    process(process, Optional.ofNullable(logs.get(process.spec().id())), endedAt));
        }
        document.put("processes", processes);
        JobDocument.addTo(document, verdict, endedAt);
        return document;
    }

    /** Who produced the exit code. */
    private static String source(Cause cause) {
        if (cause instanceof Cause.OfProcess ended) {
            return ended.process().id();
        }
        if (cause instanceof Cause.Interrupted interrupted) {
            return "SIG" + interrupted.signal();
        }
        if (cause instanceof Cause.Success success) {
            return success.decider().map(ProcessSpec::id).orElse("all tasks");
        }
        return cause instanceof Cause.Elsewhere elsewhere ? JobDocument.source(elsewhere.end()) : "outcome";
    }

    /** The job was stopped from outside: nothing failed. */
    private static boolean isStop(Cause cause) {
        return cause instanceof Cause.Interrupted
                || cause instanceof Cause.StoppedFromOutside
                || (cause instanceof Cause.Elsewhere elsewhere && JobDocument.isStop(elsewhere.end()));
    }

    private static Map<String, Object> process(ProcessReport report, Optional<LogReport> log, Instant verdictAt) {
        Map<String, Object> process = new LinkedHashMap<>();
        process.put("id", report.spec().id());
        if (report.spec() instanceof ProcessSpec.Task task && task.placement().isPresent()) {
            Placement placement = task.placement().get();
            process.put("rank", (long) placement.rank());
            process.put("localRank", (long) placement.localRank());
        }
        process.put("pid", report.pid());
        process.put("ended", report.termination().map(Termination::describe).orElse("not started"));
        report.termination().ifPresent(how -> {
            process.put("exitCode", (long) how.exitCode());
            process.put("endedAt", verdictAt.minus(report.age()).toString());
            how.signal().ifPresent(number -> process.put("signal", (long) number));
        });
        process.put("stoppedByMuster", report.stoppedByUs());
        process.put("durationMs", report.duration().toMillis());
        log.ifPresent(written -> {
            written.file().ifPresent(file -> process.put("log", file.toString()));
            process.put("bytesLogged", written.bytesLogged());
            process.put("bytesLost", written.bytesLost());
        });
        return process;
    }
}
