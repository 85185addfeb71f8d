package dev.muster.runtime.app;

import dev.muster.runtime.cli.LauncherRequest;
import dev.muster.runtime.cli.StandardOutput;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.control.JobAsker;
import dev.muster.runtime.control.LauncherFinder;
import dev.muster.runtime.control.ListCommand;
import dev.muster.runtime.control.StopCommand;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.logs.LogsCommand;
import dev.muster.runtime.platform.JobResolver;
import dev.muster.runtime.process.CallerContext;
import dev.muster.runtime.watch.StacksCommand;
import dev.muster.runtime.watch.TopCommand;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;

/** Commands about launchers that run, such as {@code muster ps}. They start nothing, and so need no supervisor. */
final class LauncherCommands {

    private LauncherCommands() {}

    /**
     * @return the exit code
     * @throws MusterException when the command line cannot be understood, or is ambiguous
     */
    static int run(CallerContext caller) {
        Optional<String> information = LauncherRequest.information(caller.arguments());
        if (information.isPresent()) {
            return StandardOutput.write(information.get()) ? 0 : ExitCode.UNAVAILABLE.code();
        }
        LauncherRequest request = LauncherRequest.read(caller.arguments());
        JobAsker asker = new JobAsker(request, System::nanoTime);
        return switch (request.command()) {
            case LOGS -> new LogsCommand(request, asker, logs(request, caller), Clock.systemUTC()).run();
            case STACKS -> new StacksCommand(request, asker).run();
            case TOP -> new TopCommand(request, asker).run();
            case STOP -> new StopCommand(LauncherFinder.here(), request).run();
            default -> new ListCommand(LauncherFinder.here()).run(request.isJson());
        };
    }

    /** The directory where jobs that have ended left their logs. */
    private static Path logs(LauncherRequest request, CallerContext caller) {
        String place = request.value(OptionTable.LOG_DIR)
                .or(() -> OptionTable.LOG_DIR
                        .variable()
                        .map(name -> caller.variables().getOrDefault(name, "")))
                .filter(told -> !told.isEmpty())
                .orElse(JobResolver.LOGS);
        return caller.directory().resolve(place);
    }
}
