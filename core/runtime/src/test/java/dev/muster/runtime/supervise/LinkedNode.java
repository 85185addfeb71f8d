package dev.muster.runtime.supervise;

import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.link.LinkEvent;
import dev.muster.runtime.report.Verdict;
import dev.muster.spi.Outcome;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.RankInfo;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/** A node, member or leader, of a job of several nodes. Its processes and its link are scripted. */
final class LinkedNode {

    static final Duration GRACE = Duration.ofMinutes(5);
    static final JobEnd SUCCESS =
            JobEnd.of(JobEnd.Kind.SUCCESS, "node-0", Optional.of("gpu1"), 0, "all nodes have succeeded");
    static final LinkEvent MAY_LEAVE = new LinkEvent.MayLeave();
    final AtomicLong ahead = new AtomicLong();
    final Events events = new Events(() -> System.nanoTime() + ahead.get());
    final ScriptedEffects effects = new ScriptedEffects(events);
    final ScriptedLink member = ScriptedLink.ofMember(events);
    final ScriptedLink leader = ScriptedLink.ofLeader(events);

    Verdict run(ScriptedLink link, ProcessSpec... processes) throws InterruptedException {
        return run(others(link), Outcome.ALL_TASKS, processes);
    }

    Verdict run(PeerLink others, Outcome outcome, ProcessSpec... processes) throws InterruptedException {
        return Supervisor.of(Specs.plan(outcome, processes), Specs.times(GRACE), events, effects, others)
                .run();
    }

    static PeerLink others(ScriptedLink link) {
        return new PeerLink(link, false, Optional.empty());
    }

    void pass(Duration time) {
        ahead.addAndGet(time.toNanos());
    }

    static LinkEvent decided(JobEnd end) {
        return new LinkEvent.Decided(end);
    }

    static JobEnd failure(String launcher, int code) {
        return new JobEnd(
                JobEnd.Kind.FAILED,
                launcher,
                Optional.of("gpu3"),
                code,
                OptionalInt.empty(),
                "rank 4 (pid 71) ended with exit code " + code + " after 0.2 s",
                Optional.of("rank-4"),
                OptionalInt.of(4),
                OptionalLong.of(71),
                Optional.of("/logs/rank-4.log"),
                OptionalLong.empty());
    }

    static JobEnd stop(String launcher, int signal) {
        return new JobEnd(
                JobEnd.Kind.STOPPED,
                launcher,
                Optional.empty(),
                128 + signal,
                OptionalInt.of(signal),
                "stopped by SIGTERM after 1.0 s",
                Optional.empty(),
                OptionalInt.empty(),
                OptionalLong.empty(),
                Optional.empty(),
                OptionalLong.empty());
    }

    static ProcessSpec rank(int rank) {
        return ProcessSpec.task("rank-" + rank, Specs.launch()).withPlacement(new RankInfo(rank, rank, 3));
    }
}
