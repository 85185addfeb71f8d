package dev.muster.runtime.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A leader whose part has succeeded waits for optional launchers, then decides how the job ended. */
class SuccessTest {

    private static final long LATER = TimeUnit.SECONDS.toNanos(10);

    @Test
    void thoseWhoFollowAreToldWhyTheJobIsDone() throws IOException {
        assertThat(decided(new LocalEvent.Succeeded(Optional.of("all workers have ended"))))
                .isEqualTo("all workers have ended");
        assertThat(decided(new LocalEvent.Succeeded(Optional.empty())))
                .isEqualTo("everything that decides the job has succeeded");
    }

    private static String decided(LocalEvent.Succeeded said) throws IOException {
        try (TestLinks job = new TestLinks()) {
            Leader leader = new Leader(job.settings(0), FaultlessJob.NO_LOG, 0);
            leader.onLocalEvent(said, 1);
            leader.check(LATER);
            return leader.drainEvents().stream()
                    .filter(LinkEvent.Decided.class::isInstance)
                    .map(heard -> ((LinkEvent.Decided) heard).end().reason())
                    .findFirst()
                    .orElseThrow();
        }
    }
}
