package dev.muster.runtime.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.output.EndOfOutput;
import dev.muster.runtime.process.Termination;
import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.ProcessReport;
import dev.muster.runtime.report.Verdict;
import dev.muster.spi.Outcome;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Failures of which the launcher hears late, and in the wrong order. */
@Timeout(20)
class PhotoFinishTest {

    private final Events events = new Events(System::nanoTime);
    private final ScriptedEffects world = new ScriptedEffects(events);

    @Test
    void theOrderOfTheKernelCountsAndNotThatOfTheNews() throws InterruptedException {
        end("rank-0", new EndOfOutput(7, 7));
        end("rank-1", new EndOfOutput(6, 6));
        world.onStart("rank-2", id -> {
            world.end("rank-0", 3);
            end(1, 5, Duration.ofMillis(90));
        });

        Verdict verdict = run();

        assertThat(failed(verdict)).isEqualTo("rank-1");
        assertThat(((Cause.ProcessFailed) verdict.cause()).termination().exitCode())
                .isEqualTo(5);
        assertThat(verdict.processes()).extracting(ProcessReport::failed).containsExactly(true, true, false);
    }

    @Test
    void whoeverEndsLaterIsNotWaitedFor() throws InterruptedException {
        world.onStart("rank-2", id -> world.end("rank-1", 3));

        assertThat(failed(run())).isEqualTo("rank-1");
    }

    @Test
    void wordsThatMayHideAnEndProveNothingAgainstTimesThatAreFarApart() throws InterruptedException {
        end("rank-0", new EndOfOutput(4, 9));
        end("rank-1", new EndOfOutput(3, 10));
        world.onStart("rank-2", id -> {
            world.end("rank-0", 3);
            end(1, 5, Duration.ofMillis(60));
        });

        assertThat(failed(run())).isEqualTo("rank-0");
    }

    @Test
    void wordsAreTheBestEvidenceWhenTheTimesAreTheSame() throws InterruptedException {
        end("rank-0", new EndOfOutput(4, 9));
        end("rank-1", new EndOfOutput(3, 10));
        world.onStart("rank-2", id -> {
            world.end("rank-0", 3);
            end(1, 5, Duration.ZERO);
        });

        assertThat(failed(run())).isEqualTo("rank-1");
    }

    @Test
    void anOutputThatIsHeldOpenDoesNotHoldUpTheVerdict() throws InterruptedException {
        end("rank-1", new EndOfOutput(3, 3));
        world.onStart("rank-2", id -> {
            world.end("rank-0", 3);
            end(1, 5, Duration.ofMillis(1));
        });

        Verdict verdict = run();

        assertThat(failed(verdict)).isEqualTo("rank-0");
        assertThat(verdict.duration()).isLessThan(Duration.ofSeconds(2));
    }

    /** 10: its words tell. */
    @Test
    void whoFailedBecauseAnotherWasGoneIsNoCauseAlthoughItEndedFirst() throws InterruptedException {
        end("rank-0", new EndOfOutput(6, 6));
        end("rank-1", new EndOfOutput(7, 7));
        world.failsBecauseOfAnother("rank-0");
        world.onStart("rank-2", id -> {
            world.end("rank-0", 3);
            end(1, 5, Duration.ofMillis(1));
        });

        assertThat(failed(run())).isEqualTo("rank-1");
    }

    @Test
    void aRivalThatSucceededIsNoCause() throws InterruptedException {
        end("rank-0", new EndOfOutput(7, 7));
        end("rank-1", new EndOfOutput(6, 6));
        world.onStart("rank-2", id -> {
            world.end("rank-0", 3);
            end(1, 0, Duration.ofMillis(1));
        });

        assertThat(failed(run())).isEqualTo("rank-0");
    }

    @Test
    void aStopThatComesMeanwhileIsNotTheCause() throws InterruptedException {
        world.onStart("rank-2", id -> {
            world.endedUnheard.add(101L);
            world.end("rank-0", 3);
            world.signalLauncher("TERM", 15);
        });

        assertThat(failed(run())).isEqualTo("rank-0");
    }

    @Test
    void aFailureThatOurSignalCannotHaveCausedIsOne() throws InterruptedException {
        world.catchingTerm = false;
        world.ignoresTerm("rank-1").onStart("rank-2", id -> world.end("rank-0", 3));
        world.onTerm("rank-1", id -> world.end("rank-1", 5));

        assertThat(run().processes()).extracting(ProcessReport::stoppedByUs).containsExactly(false, false, true);
    }

    @Test
    void aCodeOfAHandlerOfSigtermIsNoFailure() throws InterruptedException {
        world.ignoresTerm("rank-1").onStart("rank-2", id -> world.end("rank-0", 3));
        world.onTerm("rank-1", id -> world.end("rank-1", 5));

        assertThat(run().processes()).extracting(ProcessReport::stoppedByUs).containsExactly(false, true, true);
    }

    private void end(String id, EndOfOutput end) {
        world.ends.put(id, end);
    }

    /** A process has ended, of which the launcher hears only later. */
    private void end(int rank, int code, Duration later) {
        world.endedUnheard.add(100L + rank);
        events.post(new Event.Ended("rank-" + rank, Termination.exited(code), events.now() + later.toNanos()));
    }

    private static String failed(Verdict verdict) {
        return ((Cause.ProcessFailed) verdict.cause()).process().id();
    }

    private Verdict run() throws InterruptedException {
        return new Supervisor(
                        Specs.plan(Outcome.ALL_TASKS, Specs.task("rank-0"), Specs.task("rank-1"), Specs.task("rank-2")),
                        StopTimes.withGrace(Duration.ofSeconds(1)),
                        events,
                        world,
                        Others.NONE)
                .run();
    }
}
