package dev.muster.runtime.supervise;

import static dev.muster.runtime.supervise.Specs.cases;
import static dev.muster.runtime.supervise.Specs.decides;
import static dev.muster.runtime.supervise.Specs.exited;
import static dev.muster.runtime.supervise.Specs.plan;
import static dev.muster.runtime.supervise.Specs.task;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.link.LinkEvent;
import dev.muster.runtime.link.LocalEvent;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** In which order the launcher tells the others what happened. */
@Timeout(60)
class MessageOrderTest {

    private final Events events = new Events(System::nanoTime);
    private final ScriptedEffects effects = new ScriptedEffects(events);
    private final List<LocalEvent> said = new ArrayList<>();

    /** A launcher that waits for the end of a process must not take a failure for a success. */
    @Test
    void aFailureIsToldBeforeTheEndThatItIs() throws InterruptedException {
        effects.ends("worker-0", 3);

        run(plan(Outcome.ALL_TASKS, task("worker-0")));

        assertThat(said)
                .filteredOn(one -> one instanceof LocalEvent.Over || one instanceof LocalEvent.Ended)
                .extracting(Object::getClass)
                .containsExactly(LocalEvent.Over.class, LocalEvent.Ended.class);
    }

    @Test
    void theReasonOfASuccessIsToldWhereThePlanHasOne() throws InterruptedException {
        effects.ends("worker-0", 0);

        run(plan(cases(decides(exited("worker-0"), 0, "all workers have ended")), task("worker-0")));

        assertThat(said).contains(new LocalEvent.Succeeded(Optional.of("all workers have ended")));
    }

    /** Runs the plan as a member. The leader decides by what this member reports. */
    private void run(LaunchPlan plan) throws InterruptedException {
        ScriptedLink link = ScriptedLink.ofMember(events);
        link.on(LocalEvent.Over.class, () -> link.tell(new LinkEvent.Decided(link.over())))
                .answers(LocalEvent.Succeeded.class, new LinkEvent.MayLeave());
        PeerLink others = new PeerLink(link, false, Optional.empty());
        Supervisor.of(plan, Specs.times(Duration.ofSeconds(5)), events, effects, others)
                .run();
        said.addAll(link.said);
    }
}
