package dev.muster.runtime.cli;

import dev.muster.runtime.config.Command;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.engines.LoadedEngine;
import dev.muster.runtime.platform.PlatformCatalog;
import java.util.List;

/**
 * A job that the user asks to run, to plan or to simulate.
 *
 * @param command one that {@link Command#runsJobs()}
 * @param settings checked
 * @param given what stood on the command line, as it was written
 * @param job the training command, at least one element; an empty element is the user's
 */
public record Invocation(
        Command command,
        Settings settings,
        List<Setting> given,
        LoadedEngine engine,
        PlatformCatalog platforms,
        List<String> job)
        implements Request {

    public Invocation {
        given = List.copyOf(given);
        job = List.copyOf(job);
    }

    /** This invocation, with other settings and another training command. */
    public Invocation with(List<Setting> others, List<String> otherJob) {
        return new Invocation(command, settings.with(others), given, engine, platforms, otherJob);
    }
}
