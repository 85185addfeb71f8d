package dev.muster.runtime.supervise;

import dev.muster.runtime.files.RunDirectory;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.output.WaitReporter;
import dev.muster.runtime.process.ProcessSupervisor;
import dev.muster.runtime.process.Signals;
import java.util.function.LongSupplier;

/**
 * What a launcher has for carrying out plans: one of each, for all of its attempts.
 *
 * @param signals to this launcher
 * @param events of the supervisor
 * @param marker what tells processes of this launcher that they are its own
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

    /** Where users see what an attempt waits for. */
    WaitReporter waits() {
        return new WaitReporter(console::say, nanoClock());
    }
}
