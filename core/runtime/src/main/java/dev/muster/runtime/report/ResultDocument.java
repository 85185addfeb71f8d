package dev.muster.runtime.report;

import dev.muster.runtime.json.Json;
import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.link.LinkReport;
import dev.muster.runtime.memory.MemoryKills;
import dev.muster.runtime.output.LogReport;
import dev.muster.runtime.process.ResourceUse;
import dev.muster.runtime.process.SignalNames;
import dev.muster.runtime.process.Termination;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.LauncherNodes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;

/** The verdict for machines: the content of {@code result.json} as JDK maps and lists. */
final class ResultDocument {

    /** Raised when a field changes its meaning. New fields do not raise it. */
    private static final long FORMAT = 2;

    /** The fields of an attempt's failure: enough to tell failures apart. The result has all fields of the last failure. */
    private static final List<String> OF_FAILURE = List.of("process", "rank", "node", "pid", "signal", "signalName");

    private ResultDocument() {}

    /**
     * @param number the number of this run of the job on this node, from 1
     * @param runs the attempts, in their order
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
        addVerdict(document, verdict, exitCode, logs);
        addTimes(document, run.startedAt(), verdict, endedAt);
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
        // Field by field: conversion by a library took longer than the rest of the end of a short job.
        Map<String, Object> memory = new LinkedHashMap<>();
        kills.killed().ifPresent(count -> memory.put("killed", count));
        kills.killedOnMachine().ifPresent(count -> memory.put("killedOnMachine", count));
        kills.unknown().ifPresent(why -> memory.put("unknown", why));
        kills.limit().ifPresent(limit -> {
            memory.put("limitBytes", limit.limitBytes());
            memory.put("limitFile", limit.limitFile());
        });
        return memory;
    }

    /** Adds what is known of the whole job; nothing for a job with one launcher. */
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
                    // This launcher leaves next.
                    entry.put("state", "left");
                    entry.put("exitCode", (long) exitCode);
                }
                nodes.add(entry);
            }
            document.put("nodes", nodes);
        }
    }

    /** What produced the exit code: a process, a signal, or a launcher. */
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

    /** @param clock converts the leader's monotonic time to the wall clock */
    private static Map<String, Object> node(LinkReport.NodeEnd node, LongFunction<Instant> clock) {
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

    private static Map<String, Object> process(LinkReport.ProcessEnd process, LongFunction<Instant> clock) {
        Map<String, Object> entry = Json.toMap(process.started());
        process.ended().ifPresent(end -> entry.putAll(Json.toMap(end)));
        entry.remove("nanoTime");
        entry.put("startedAt", clock.apply(process.startedAt()).toString());
        process.endedAt()
                .ifPresent(time -> entry.put("endedAt", clock.apply(time).toString()));
        entry.putIfAbsent("stoppedByMuster", false);
        return entry;
    }

    // --- the end, as the verdict for people tells it

    private static void addVerdict(
            Map<String, Object> document, Verdict verdict, int exitCode, Map<String, LogReport> logs) {
        FailureText failure = new FailureText(verdict, logs);
        document.put("kind", verdict.cause().kind());
        document.put(
                "verdict",
                VerdictText.lines(verdict, exitCode, logs).stream()
                        .map(Printable::escape)
                        .toList());
        firstFailure(failure).ifPresent(first -> document.put("firstFailure", first));
        Map<String, List<String>> others = new OthersText(verdict).groups();
        if (!others.isEmpty()) {
            document.put("others", others);
        }
        FailureText.directoryOf(logs).ifPresent(directory -> document.put("logDirectory", directory.toString()));
        failure.nextStep().ifPresent(step -> document.put("nextStep", step));
    }

    private static void addTimes(Map<String, Object> document, Instant startedAt, Verdict verdict, Instant endedAt) {
        document.put("startedAt", startedAt.toString());
        document.put("decidedAt", endedAt.minus(verdict.age()).toString());
        document.put("endedAt", endedAt.toString());
        document.put("durationMs", verdict.duration().toMillis());
    }

    private static Optional<Map<String, Object>> firstFailure(FailureText failure) {
        Verdict verdict = failure.verdict();
        Map<String, Object> first = new LinkedHashMap<>();
        if (verdict.cause() instanceof Cause.ProcessFailed failed) {
            ofProcess(first, failed, failure);
        } else if (verdict.cause() instanceof Cause.Elsewhere elsewhere
                && elsewhere.end().kind() == JobEnd.Kind.FAILED) {
            elsewhere(first, elsewhere.end());
        } else {
            return Optional.empty();
        }
        verdict.evidence().map(Evidence::words).ifPresent(words -> {
            first.put("lastWords", words.lines());
            words.speaker().ifPresent(speaker -> first.put("lastWordsOf", speaker));
        });
        return Optional.of(first);
    }

    private static void ofProcess(Map<String, Object> first, Cause.ProcessFailed failed, FailureText failure) {
        first.put("process", failed.process().id());
        failure.rank().ifPresent(rank -> first.put("rank", (long) rank));
        Optional<Evidence> known = failure.verdict().evidence();
        known.map(Evidence::node).filter(node -> !node.isEmpty()).ifPresent(node -> first.put("node", node));
        failure.verdict().job().own().ifPresent(launcher -> first.put("launcher", launcher));
        if (failure.pid() > 0) {
            first.put("pid", failure.pid());
        }
        Termination how = failure.end().orElse(failed.termination());
        first.put("ended", how.describe());
        first.put("exitCode", (long) how.exitCode());
        how.signal().ifPresent(number -> signal(first, number));
        known.map(Evidence::command)
                .filter(command -> !command.isEmpty())
                .ifPresent(command -> first.put("command", command));
        VerdictText.logFile(failed.process(), failure.verdict(), failure.logs())
                .ifPresent(file -> first.put("log", file.toString()));
    }

    private static void elsewhere(Map<String, Object> first, JobEnd end) {
        first.putAll(Json.toMap(end));
        first.keySet().retainAll(List.of("process", "rank", "launcher", "pid", "exitCode", "log"));
        first.put("node", end.where());
        first.put("ended", end.reason());
        end.signal().ifPresent(number -> signal(first, number));
    }

    private static void signal(Map<String, Object> first, int number) {
        first.put("signal", (long) number);
        first.put("signalName", SignalNames.of(number));
    }

    /**
     * An attempt that another one follows, for the result.
     *
     * @param number its number, from 1
     * @param exitCode the launcher's exit code if this had been the last attempt
     */
    static Map<String, Object> attempt(
            int number,
            Instant startedAt,
            Verdict verdict,
            int exitCode,
            Map<String, LogReport> logs,
            Instant endedAt) {
        Map<String, Object> run = new LinkedHashMap<>();
        run.put("attempt", (long) number);
        addTimes(run, startedAt, verdict, endedAt);
        run.put("kind", verdict.cause().kind());
        run.put("exitCode", (long) exitCode);
        run.put("exitCodeFrom", verdict.cause().source());
        run.put("reason", VerdictText.reason(verdict.remarked(""), logs));
        Optional<Map<String, Object>> failure = firstFailure(new FailureText(verdict, logs));
        failure.ifPresent(
                first -> OF_FAILURE.stream().filter(first::containsKey).forEach(key -> run.put(key, first.get(key))));
        return run;
    }
}
