package dev.muster.runtime.supervise;

import dev.muster.runtime.control.StopDesk;
import dev.muster.runtime.files.RunDirectory;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.output.Waits;
import dev.muster.runtime.process.Guard;
import dev.muster.runtime.process.IgnoredSignals;
import dev.muster.runtime.process.InheritedEnvironment;
import dev.muster.runtime.process.OpenFiles;
import dev.muster.runtime.process.Signals;
import dev.muster.runtime.process.StartLimits;
import java.util.function.LongSupplier;

/**
 * What a launcher has for carrying out plans: one of each, for all of its runs.
 *
 * @param signals to this launcher
 * @param inherited what processes get of the environment
 * @param nanoClock the clock of all events
 * @param desk where others ask it to stop
 */
record RunTools(
        Console console,
        Signals signals,
        IgnoredSignals ignored,
        Guard guard,
        InheritedEnvironment inherited,
        RunDirectory directory,
        LongSupplier nanoClock,
        StopDesk desk,
        OpenFiles openFiles,
        StartLimits limits) {

    /** The same for processes that inherit another environment. */
    RunTools inheriting(InheritedEnvironment other) {
        return new RunTools(console, signals, ignored, guard, other, directory, nanoClock, desk, openFiles, limits);
    }

    long now() {
        return nanoClock.getAsLong();
    }

    /** Where users see what a run waits for. */
    Waits waits(RunSettings settings) {
        return Waits.on(console, nanoClock, settings.progress());
    }
}
