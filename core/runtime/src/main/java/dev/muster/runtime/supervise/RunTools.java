package dev.muster.runtime.supervise;

import dev.muster.runtime.files.RunDirectory;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.output.WaitReporter;
import dev.muster.runtime.process.ProcessSupervisor;
import dev.muster.runtime.process.Signals;
import java.util.function.LongSupplier;

/**
 * What a launcher uses for all its attempts.
 *
 * @param signals sent to this launcher
 * @param events of the native supervisor
 * @param marker the value of {@code MUSTER_JOB} that marks the processes of this launcher
 */
record RunTools(
        Console console,
        Signals signals,
        ProcessSupervisor supervisor,
        SupervisorEvents events,
        RunDirectory directory,
        String marker) {

    LongSupplier nanoClock() {
        return events.nanoClock();
    }

    long now() {
        return nanoClock().getAsLong();
    }

    WaitReporter waits() {
        return new WaitReporter(console::say, nanoClock());
    }
}
