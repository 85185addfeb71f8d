package dev.muster.runtime.report;

import dev.muster.runtime.process.ResourceUse;
import dev.muster.runtime.process.Termination;
import dev.muster.spi.ProcessSpec;
import java.time.Duration;
import java.util.Optional;

/**
 * How one process fared.
 *
 * @param pid 0 when it was not started
 * @param termination empty when it was not started, was kept for another run, or could not be ended
 * @param stoppedByUs it ended after the supervisor had told it to stop
 * @param forgiven it ended by itself after something else than a failure had ended the job
 * @param duration how long it ran
 * @param age how long before the verdict it ended; zero when it did not
 * @param isOfEarlierRun its run had ended before the job did, between two runs
 * @param use what it has used, where it has run and ended
 */
public record ProcessReport(
        ProcessSpec spec,
        long pid,
        Optional<Termination> termination,
        boolean stoppedByUs,
        boolean forgiven,
        Duration duration,
        Duration age,
        boolean isOfEarlierRun,
        Optional<ResourceUse> use) {

    /** The same report some time later. */
    ProcessReport after(Duration more) {
        Duration older = termination.isPresent() ? age.plus(more) : age;
        return new ProcessReport(spec, pid, termination, stoppedByUs, forgiven, duration, older, isOfEarlierRun, use);
    }

    /** The same report of a job that has ended with something else than a failure, when this run had ended. */
    ProcessReport ofEarlierRun() {
        return new ProcessReport(spec, pid, termination, stoppedByUs, forgiven, duration, age, true, use);
    }

    /** It failed before anybody told it to stop and before the job had another end. */
    public boolean failed() {
        return !stoppedByUs
                && !forgiven
                && termination.map(how -> !how.isSuccess()).orElse(false);
    }
}
