package dev.muster.e2e;

import dev.muster.runtime.link.LinkReport;
import dev.muster.runtime.link.LocalEvent;
import dev.muster.runtime.output.LogReport;
import dev.muster.runtime.process.ResourceUse;
import dev.muster.runtime.process.Termination;
import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.Evidence;
import dev.muster.runtime.report.ExitCodes;
import dev.muster.runtime.report.JobReport;
import dev.muster.runtime.report.NodeRun;
import dev.muster.runtime.report.ProcessReport;
import dev.muster.runtime.report.ReportPage;
import dev.muster.runtime.report.TerminationLog;
import dev.muster.runtime.report.Verdict;
import dev.muster.runtime.report.VerdictWriter;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.Launch;
import dev.muster.spi.LauncherNodes;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.RankInfo;
import dev.muster.spi.Value;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/** The files of the leader of a job that is too large for this machine: 1,000 ranks on 125 nodes, of which rank 3 has failed. */
final class LargeJob {

    private static final int NODES = 125;
    private static final int RANKS_OF_NODE = 8;
    private static final int FAILED = 3;
    private static final long SECOND = 1_000_000_000L;
    private static final Duration RAN = Duration.ofSeconds(58);

    private LargeJob() {}

    /** @return the report page */
    static Path write(Path directory) {
        VerdictWriter writer = new VerdictWriter(
                line -> {},
                line -> {
                    throw new AssertionError(line);
                },
                text -> text,
                Clock.systemUTC(),
                new TerminationLog(directory, Map.of(), text -> text),
                new ReportPage("failure", () -> Map.of("version", "1", "settings", List.of())),
                Map.of());
        NodeRun run = new NodeRun(
                "large",
                "pytorch-gpu",
                "slurm",
                "SLURM_JOB_ID is set",
                Optional.empty(),
                "0",
                OptionalInt.of(0),
                OptionalInt.of(NODES),
                directory,
                Optional.empty(),
                Instant.now().minus(RAN));
        int exitCode = ExitCodes.STANDARD.of(verdict().cause());
        writer.writeFiles(run, verdict(), logs(), exitCode, List.of(attempt(writer, run)));
        return directory.resolve("large-node-0-report.html");
    }

    private static Map<String, Object> attempt(VerdictWriter writer, NodeRun run) {
        return writer.attempt(1, run.startedAt(), verdict(), ExitCodes.STANDARD, logs());
    }

    private static Map<String, LogReport> logs() {
        Map<String, LogReport> logs = new HashMap<>();
        for (int rank = 0; rank < RANKS_OF_NODE; rank++) {
            int steps = 10 * rank;
            logs.put(
                    "rank-" + rank,
                    new LogReport(
                            Optional.of(Path.of("/logs/rank-" + rank + ".txt")),
                            100,
                            0,
                            () -> "loss: 0.5\n".repeat(steps)));
        }
        return logs;
    }

    private static Verdict verdict() {
        List<ProcessReport> own =
                IntStream.range(0, RANKS_OF_NODE).mapToObj(LargeJob::own).toList();
        Cause cause =
                new Cause.ProcessFailed(own.get(FAILED).spec(), 100 + FAILED, Termination.exited(1), Optional.empty());
        List<LinkReport.NodeEnd> nodes =
                IntStream.range(0, NODES).mapToObj(LargeJob::node).toList();
        JobReport job = new JobReport(
                Optional.of(LauncherNodes.ofNode(0)), Optional.empty(), new LinkReport(nodes), 60 * SECOND);
        Evidence.Words words = new Evidence.Words(List.of("KeyError: 7"), Optional.empty(), true);
        return new Verdict(Optional.empty(), cause, own, RAN, Duration.ofSeconds(2), job)
                .with(new Evidence("node 0 (gpu0)", "python3 train.py", words, Optional.empty()));
    }

    private static ProcessReport own(int rank) {
        ProcessSpec spec = ProcessSpec.task(
                        "rank-" + rank,
                        new Launch(List.of(Value.of("train")), EnvironmentChange.NONE, "/", rank + ".txt"))
                .withPlacement(new RankInfo(rank, rank, NODES * RANKS_OF_NODE));
        return new ProcessReport(
                spec,
                100 + rank,
                Optional.of(end(rank)),
                rank != FAILED,
                false,
                RAN,
                Duration.ofSeconds(1),
                false,
                Optional.of(new ResourceUse((3L << 30) + rank, RAN, Duration.ofSeconds(2))));
    }

    private static Termination end(int rank) {
        return rank == FAILED ? Termination.exited(1) : Termination.signalled(15);
    }

    private static LinkReport.NodeEnd node(int index) {
        return new LinkReport.NodeEnd(
                LauncherNodes.ofNode(index),
                Optional.of("gpu" + index),
                "left",
                OptionalInt.of(1),
                Optional.empty(),
                IntStream.range(index * RANKS_OF_NODE, (index + 1) * RANKS_OF_NODE)
                        .mapToObj(LargeJob::process)
                        .toList());
    }

    private static LinkReport.ProcessEnd process(int rank) {
        String id = "rank-" + rank;
        return new LinkReport.ProcessEnd(
                new LocalEvent.Started(
                        id, 100 + rank, OptionalInt.of(rank), Optional.of("/logs/" + id + ".txt"), SECOND),
                SECOND,
                Optional.of(new LocalEvent.Ended(
                        id,
                        end(rank).exitCode(),
                        end(rank).signal(),
                        end(rank).describe(),
                        rank != FAILED,
                        59 * SECOND,
                        OptionalLong.of((3L << 30) + rank),
                        OptionalLong.of(RAN.toMillis()),
                        OptionalLong.of(2000))),
                OptionalLong.of(59 * SECOND));
    }
}
