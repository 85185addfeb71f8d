package dev.muster.runtime.report;

import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.link.LinkReport;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What the launchers of a job have told each other about its end.
 *
 * @param own the name of this launcher; empty: the job has one launcher
 * @param end how the whole job ended, if this launcher knows it
 * @param launchers what the leader knows of all launchers
 * @param now the time of the verdict, on the clock of {@code launchers}
 */
public record JobReport(Optional<String> own, Optional<JobEnd> end, LinkReport launchers, long now) {

    /** No reports, or no other launchers. */
    public static final JobReport NONE =
            new JobReport(Optional.empty(), Optional.empty(), new LinkReport(List.of()), 0);

    /** The same some time later. */
    JobReport after(Duration more) {
        return new JobReport(own, end, launchers, now + more.toNanos());
    }
}
