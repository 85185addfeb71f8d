package dev.muster.runtime.supervise;

import dev.muster.runtime.report.Cause;
import dev.muster.spi.ProcessSpec;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Starts processes and reports when they are ready. Only the event loop uses it. */
record StartScheduler(AttemptState state, PeerNotifier peers, AttemptReporter reporter, StartProgress progress) {

    /**
     * Starts what may start, in the order of the plan.
     *
     * @param goesOn asked before each start; it first handles new events, above all a signal
     * @return the cause that ends the job if it has waited too long
     */
    Optional<Cause> startReady(BooleanSupplier goesOn) {
        for (SupervisedProcess process : state.processes().all()) {
            if (!(process.spec() instanceof ProcessSpec.Hook) && process.isWaiting() && process.mayStart()) {
                if (!goesOn.getAsBoolean()) {
                    return Optional.empty();
                }
                start(process);
            }
        }
        reporter.reportStart();
        return progress.check();
    }

    /** A condition has come true. */
    void onMet(long when) {
        for (SupervisedProcess process : state.processes().all()) {
            if (state.conditions().isMet(process.spec().startWhen())) {
                process.allowStart();
            }
            reportIfReady(process, when);
        }
    }

    void start(SupervisedProcess process) {
        process.markStarting(state.now());
        process.markStarted(state.effects().start(process.spec()));
        peers.reportStarted(process);
        reportIfReady(process, state.now());
    }

    /** A task is ready once it is started, a service when its condition in the plan holds. */
    private void reportIfReady(SupervisedProcess process, long when) {
        boolean serves = !(process.spec() instanceof ProcessSpec.Service service)
                || state.conditions().isMet(service.readyWhen());
        if (serves && process.isRunning() && process.wasStarted() && !process.isReady()) {
            process.markReady();
            peers.reportReady(process, when);
        }
    }
}
