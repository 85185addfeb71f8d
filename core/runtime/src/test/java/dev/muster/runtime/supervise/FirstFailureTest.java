package dev.muster.runtime.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.link.LinkEvent;
import dev.muster.runtime.link.LocalEvent;
import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.ProcessReport;
import dev.muster.runtime.report.Verdict;
import dev.muster.spi.Outcome;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which of several failures is the first. */
@Timeout(60)
class FirstFailureTest {

    /** A rank that may have failed first gets half of the grace to end by itself. */
    private static final Duration SHORT_GRACE = Duration.ofSeconds(1);

    private final LinkedNode node = new LinkedNode();
    private final ScriptedEffects effects = node.effects;

    @Test
    void theOneThatWasReapedFirst() throws InterruptedException {
        effects.onStart("rank-1", id -> {
            effects.end("rank-1", 3);
            effects.end("rank-0", 4);
        });

        assertThat(cause(run())).isEqualTo("rank-1");
    }

    @Test
    void ofThoseThatHaveEndedTheFirstWithAFailureOfItsOwn() throws InterruptedException {
        effects.failsBecauseOfAnother("rank-0");
        effects.onStart("rank-2", id -> {
            effects.end("rank-0", 1);
            effects.end("rank-2", 3);
            effects.end("rank-1", 4);
        });

        assertThat(cause(run())).isEqualTo("rank-2");
    }

    @Test
    void whoHasPrintedATracebackAndTakesItsTimeToEndIsTheCause() throws InterruptedException {
        effects.failsBecauseOfAnother("rank-0");
        effects.tracebacks.add("rank-1");
        effects.ignoresTerm("rank-1").onTerm("rank-1", id -> effects.end("rank-1", 7));
        effects.onStart("rank-2", id -> effects.end("rank-0", 1));

        Verdict verdict = run(SHORT_GRACE);

        assertThat(cause(verdict)).isEqualTo("rank-1");
        assertThat(effects.log)
                .containsSubsequence("TERM rank-1", "say: rank 1 (pid 101) had failed before: exit code 7");
        assertThat(verdict.processes()).extracting(ProcessReport::failed).containsExactly(true, true, false);
    }

    @Test
    void whoHasPrintedATracebackEndsByItself() throws InterruptedException {
        effects.failsBecauseOfAnother("rank-0");
        effects.tracebacks.add("rank-1");
        effects.onStart("rank-2", id -> effects.end("rank-0", 1));
        whenSuspected(() -> effects.end("rank-1", 7));

        assertThat(cause(run())).isEqualTo("rank-1");
        assertThat(effects.log)
                .containsSubsequence("say: rank 1 (pid 101) had failed before: exit code 7", "TERM rank-2")
                .doesNotContain("TERM rank-1");
    }

    @Test
    void whoEndsBecauseOfAnotherIsNoCauseThoughItHadPrintedATraceback() throws InterruptedException {
        effects.failsBecauseOfAnother("rank-0");
        effects.failsBecauseOfAnother("rank-1");
        effects.tracebacks.add("rank-1");
        effects.onStart("rank-2", id -> effects.end("rank-0", 1));
        whenSuspected(() -> effects.end("rank-1", 1));

        assertThat(cause(run())).isEqualTo("rank-0");
    }

    @Test
    void nobodyIsLookedForWhereAnotherNodesFailureIsCertain() throws InterruptedException {
        effects.tracebacks.add("rank-0");
        node.member.answers(LocalEvent.Heeded.class, LinkedNode.decided(LinkedNode.failure("node-2", 3)));
        effects.onStart("rank-0", id -> node.member.tell(new LinkEvent.Stop(LinkedNode.failure("node-2", 3))));

        node.run(node.member, LinkedNode.rank(0));

        assertThat(effects.log).contains("TERM rank-0").noneMatch(line -> line.contains("still runs"));
    }

    @Test
    void nobodyIsWaitedForOnceTheJobsEndIsDecided() throws InterruptedException {
        effects.tracebacks.add("rank-0");
        JobEnd end = LinkedNode.failure("node-2", 3);
        effects.onStart("rank-0", id -> node.member.tell(new LinkEvent.Stop(end, true)));
        whenSuspected(() -> node.member.tell(LinkedNode.decided(end)));
        long before = System.nanoTime();

        node.run(node.member, LinkedNode.rank(0));

        assertThat(effects.log).contains("TERM rank-0");
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(5));
    }

    @Test
    void whoEndsByOurSignalOrWellIsNoCause() throws InterruptedException {
        effects.failsBecauseOfAnother("rank-0");
        effects.tracebacks.add("rank-1");
        effects.tracebacks.add("rank-2");
        effects.ignoresTerm("rank-2").onTerm("rank-2", id -> effects.end("rank-2", 0));
        effects.onStart("rank-2", id -> effects.end("rank-0", 1));

        assertThat(cause(run(SHORT_GRACE))).isEqualTo("rank-0");
    }

    @Test
    void aTracebackIsNotAskedForWhereTheFirstFailureIsOne() throws InterruptedException {
        effects.tracebacks.add("rank-1");
        effects.ignoresTerm("rank-1").onTerm("rank-1", id -> effects.end("rank-1", 7));
        effects.onStart("rank-2", id -> effects.end("rank-0", 1));

        assertThat(cause(run())).isEqualTo("rank-0");
    }

    @Test
    void othersAreToldThatItMayStillTurnOutToBeAnother() throws InterruptedException {
        effects.failsBecauseOfAnother("rank-0");
        effects.onStart("rank-2", id -> effects.end("rank-0", 1));
        node.member.on(LocalEvent.Heeded.class, () -> node.pass(Duration.ofMinutes(6)));

        node.run(node.member, LinkedNode.rank(0), LinkedNode.rank(1), LinkedNode.rank(2));

        assertThat(node.member.said).anyMatch(said -> said instanceof LocalEvent.Over over && over.isConsequence());
        assertThat(node.member.said).anyMatch(said -> said instanceof LocalEvent.Heeded);
    }

    private void whenSuspected(Runnable happens) {
        effects.whenSaid = line -> {
            if (line.contains("still runs, and has told of a failure")) {
                happens.run();
            }
        };
    }

    private Verdict run() throws InterruptedException {
        return run(LinkedNode.GRACE);
    }

    private Verdict run(Duration grace) throws InterruptedException {
        return Supervisor.of(
                        Specs.plan(Outcome.ALL_TASKS, LinkedNode.rank(0), LinkedNode.rank(1), LinkedNode.rank(2)),
                        Specs.times(grace),
                        node.events,
                        effects,
                        PeerLink.NONE)
                .run();
    }

    private static String cause(Verdict verdict) {
        return ((Cause.ProcessFailed) verdict.cause()).process().id();
    }
}
