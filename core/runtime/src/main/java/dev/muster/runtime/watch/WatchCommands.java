package dev.muster.runtime.watch;

import dev.muster.runtime.cli.LauncherRequest;
import dev.muster.runtime.cli.StandardOutput;
import dev.muster.runtime.config.Command;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.questions.JobAsker;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Commands that ask all nodes of a job that runs. They start nothing, and so need no supervisor. */
public final class WatchCommands {

    private WatchCommands() {}

    /** Whether a command line is that of one of these. */
    public static boolean areMeant(List<String> arguments) {
        return Command.of(arguments.get(0)).filter(Command::asksJobs).isPresent();
    }

    /**
     * @return the exit code
     * @throws MusterException it cannot be understood, or no job is there
     */
    public static int run(List<String> arguments, LongSupplier nanoClock) {
        Optional<String> information = LauncherRequest.information(arguments);
        if (information.isPresent()) {
            return StandardOutput.write(information.get()) ? 0 : ExitCode.UNAVAILABLE.code();
        }
        LauncherRequest request = LauncherRequest.read(arguments);
        JobAsker asker = new JobAsker(request, nanoClock);
        return request.command() == Command.STACKS
                ? new StacksCommand(request, asker).run()
                : new TopCommand(request, asker).run();
    }
}
