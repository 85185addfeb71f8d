package dev.muster.runtime.report;

import dev.muster.runtime.process.ResourceUse;
import dev.muster.runtime.process.Termination;
import dev.muster.spi.ProcessSpec;
import java.time.Duration;
import java.util.Optional;

/**
 * How one process ran and ended.
 *
 * @param pid 0 if it was not started
 * @param termination empty if it was not started, was kept for another run, or could not be ended
 * @param stoppedByUs it ended after the supervisor had told it to stop
 * @param harmless it ended by itself, after something that is not a failure had ended the job
 * @param duration how long it ran
 * @param age the time from its end to the verdict; zero if it has not ended
 * @param isOfEarlierRun its run ended before the job did, between two runs
 * @param use its resource use, if it ran and ended
 */
public record ProcessReport(
        ProcessSpec spec,
        long pid,
        Optional<Termination> termination,
        boolean stoppedByUs,
        boolean harmless,
        Duration duration,
        Duration age,
        boolean isOfEarlierRun,
        Optional<ResourceUse> use) {

    /** The same report some time later. */
    ProcessReport after(Duration more) {
        Duration older = termination.isPresent() ? age.plus(more) : age;
        return new ProcessReport(spec, pid, termination, stoppedByUs, harmless, duration, older, isOfEarlierRun, use);
    }

    /** The same report, for a job that ended after this run, and not with a failure. */
    ProcessReport ofEarlierRun() {
        return new ProcessReport(spec, pid, termination, stoppedByUs, harmless, duration, age, true, use);
    }

    /** It failed before it was told to stop, and before the job had another end. */
    public boolean failed() {
        return !stoppedByUs
                && !harmless
                && termination.map(how -> !how.isSuccess()).orElse(false);
    }
}
