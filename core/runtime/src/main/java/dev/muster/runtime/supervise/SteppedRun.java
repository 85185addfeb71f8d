package dev.muster.runtime.supervise;

import dev.muster.runtime.process.Termination;
import dev.muster.runtime.report.Verdict;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.ProcessSpec;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Carries out a plan step by step, on a clock and with processes that the caller makes up: for tests of whole jobs in one thread.
 * The plan must name no condition that only a machine can tell, such as a port.
 */
public final class SteppedRun {

    private final Events events;
    private final Supervisor supervisor;
    private final SteppedProcesses processes;
    private final Runnable happened;

    /** Processes that need not exist. */
    public interface World {

        /** A process is started. */
        void start(ProcessSpec process, long pid);

        /** @param signal without SIG */
        void signal(String signal, long pid);

        /** A line for the user. */
        void say(String line);
    }

    /** @param happened called when a step should be made, inside of calls of this object and of the link */
    public SteppedRun(
            LaunchPlan plan, Duration grace, Others others, LongSupplier nanoClock, World world, Runnable happened) {
        events = new Events(nanoClock);
        this.happened = happened;
        processes = new SteppedProcesses(world, events, this::post);
        supervisor = new Supervisor(plan, StopTimes.withGrace(grace), events, processes, others, Resets.NONE);
        others.link().listen(heard -> post(new Event.Told(heard, events.now())));
    }

    private void post(Event event) {
        events.post(event);
        happened.run();
    }

    /** Begins to carry out the plan. */
    public void begin() {
        supervisor.begin();
    }

    /** A process has ended now. */
    public void ended(String id, Termination how) {
        processes.ended(id);
        post(new Event.Ended(id, how, events.now()));
    }

    /**
     * The launcher has got a signal now.
     *
     * @param name without SIG
     */
    public void signalled(String name, int number) {
        post(new Event.SignalReceived(name, number, events.now()));
    }

    /** Does what follows from all that has happened, and what is due. */
    public void step() {
        processes.look();
        supervisor.goOn();
    }

    /** When a step should be made even if nothing happens. */
    public OptionalLong nextStep() {
        return Stream.of(supervisor.nextDeadline(), processes.nextLook())
                .flatMapToLong(OptionalLong::stream)
                .min();
    }

    /** Whether everything that was started has ended, and nobody is waited for. */
    public boolean isDone() {
        return supervisor.isDone();
    }

    /** Once it is done. */
    public Verdict verdict() {
        return supervisor.end();
    }
}
