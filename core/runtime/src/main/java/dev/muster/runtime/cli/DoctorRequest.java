package dev.muster.runtime.cli;

import dev.muster.runtime.config.Settings;
import dev.muster.runtime.platform.PlatformCatalog;
import java.util.List;
import java.util.Optional;

/**
 * A request to check this node before a job runs on it.
 *
 * @param settings checked
 * @param job that shall run; empty: no engine is chosen
 * @param command of the job; empty: none was given, and {@link #USUAL} is assumed
 */
public record DoctorRequest(
        Settings settings, PlatformCatalog platforms, Optional<Invocation> job, List<String> command)
        implements Request {

    /** What most jobs are started with. */
    public static final List<String> USUAL = List.of("python3");

    /** The command of the job, or the assumed one. */
    public List<String> commandOrUsual() {
        return command.isEmpty() ? USUAL : command;
    }
}
