package dev.muster.runtime.supervise;

import static dev.muster.runtime.supervise.Specs.cases;
import static dev.muster.runtime.supervise.Specs.decides;
import static dev.muster.runtime.supervise.Specs.exited;
import static dev.muster.runtime.supervise.Specs.plan;
import static dev.muster.runtime.supervise.Specs.task;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.link.Heard;
import dev.muster.runtime.link.Link;
import dev.muster.runtime.link.LinkReport;
import dev.muster.runtime.link.Said;
import dev.muster.runtime.report.ExitCodes;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** In which order the other launchers are told what happened. */
@Timeout(20)
class ToldInOrderTest {

    private final Events events = new Events(System::nanoTime);
    private final ScriptedEffects world = new ScriptedEffects(events);
    private final List<Said> said = new ArrayList<>();

    /** Whoever waits for the end of a process must not take its failure for a success. */
    @Test
    void aFailureIsToldBeforeTheEndThatItIs() throws InterruptedException {
        world.ends("worker-0", 3);

        run(plan(Outcome.ALL_TASKS, task("worker-0")));

        assertThat(said)
                .filteredOn(one -> one instanceof Said.Over || one instanceof Said.Ended)
                .extracting(Object::getClass)
                .containsExactly(Said.Over.class, Said.Ended.class);
    }

    @Test
    void theReasonOfASuccessIsToldWhereThePlanHasOne() throws InterruptedException {
        world.ends("worker-0", 0);

        run(plan(cases(decides(exited("worker-0"), 0, "all workers have ended")), task("worker-0")));

        assertThat(said).contains(new Said.Succeeded(Optional.of("all workers have ended")));
    }

    private void run(LaunchPlan plan) throws InterruptedException {
        Others others = new Others(new Notes(), false, Optional.empty());
        new Supervisor(plan, StopTimes.withGrace(Duration.ofSeconds(5)), ExitCodes.STANDARD, events, world, others)
                .run();
    }

    /** A member whose leader takes what it says for the end of the job. */
    private final class Notes implements Link {

        @Override
        public void say(Said word) {
            said.add(word);
            if (word instanceof Said.Over over) {
                events.post(new Event.Told(new Heard.Decided(over.end(), List.of()), events.now()));
            } else if (word instanceof Said.Succeeded) {
                events.post(new Event.Told(new Heard.MayLeave(), events.now()));
            }
        }

        @Override
        public void listen(Consumer<Heard> listener) {
            // The test posts what is heard.
        }

        @Override
        public boolean isUsed() {
            return true;
        }

        @Override
        public boolean leads() {
            return false;
        }

        @Override
        public Optional<String> own() {
            return Optional.of("node-1");
        }

        @Override
        public LinkReport report() {
            return new LinkReport(List.of());
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }
}
