package dev.muster.runtime.control;

import dev.muster.runtime.cli.LauncherRequest;
import dev.muster.runtime.cli.StandardOutput;
import dev.muster.runtime.config.Command;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code muster ps} and {@code muster stop}. They start nothing, and so need no supervisor. */
public final class ControlCommands {

    private ControlCommands() {}

    /** Whether a command line is that of one of these. */
    public static boolean areMeant(List<String> arguments) {
        return LauncherRequest.isMeant(arguments);
    }

    /** The launchers that run here, as {@code muster ps} shows them. */
    public static List<Map<String, @Nullable Object>> list() {
        return new ListCommand(finder()).list();
    }

    private static LauncherFinder finder() {
        return new LauncherFinder(Path.of("/"), RunningLauncher.Identity.ownNamespace());
    }

    /**
     * @return the exit code
     * @throws MusterException it cannot be understood, or it is not clear which launcher is meant
     */
    public static int run(List<String> arguments) {
        Optional<String> information = LauncherRequest.information(arguments);
        if (information.isPresent()) {
            return StandardOutput.write(information.get()) ? 0 : ExitCode.UNAVAILABLE.code();
        }
        LauncherRequest request = LauncherRequest.read(arguments);
        LauncherFinder launchers = finder();
        return request.command() == Command.STOP
                ? new StopCommand(launchers, request).run()
                : new ListCommand(launchers).run(request.isJson());
    }
}
