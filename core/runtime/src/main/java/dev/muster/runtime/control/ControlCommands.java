package dev.muster.runtime.control;

import dev.muster.runtime.cli.LauncherRequest;
import dev.muster.runtime.cli.StandardOutput;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.text.Printable;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** {@code muster ps} and {@code muster stop}. They start nothing, and so need no supervisor. */
public final class ControlCommands {

    private ControlCommands() {}

    /** Whether a command line is that of one of these. */
    public static boolean areMeant(List<String> arguments) {
        return LauncherRequest.isMeant(arguments);
    }

    /** @return the exit code */
    public static int run(List<String> arguments) {
        try {
            Optional<String> information = LauncherRequest.information(arguments);
            if (information.isPresent()) {
                return StandardOutput.write(information.get()) ? 0 : ExitCode.UNAVAILABLE.code();
            }
            LauncherRequest request = LauncherRequest.read(arguments);
            LauncherFinder launchers =
                    new LauncherFinder(Path.of("/"), ProcessHandle.current().pid());
            return request.isStop()
                    ? new StopCommand(launchers, request).run()
                    : new ListCommand(launchers).run(request.isJson());
        } catch (MusterException refused) {
            return failed(refused.exitCode(), String.valueOf(refused.getMessage()));
        } catch (RuntimeException | Error broken) {
            StringWriter trace = new StringWriter();
            broken.printStackTrace(new PrintWriter(trace));
            trace.toString().lines().forEach(line -> Console.sayAtOnce("\t" + Printable.escape(line.strip())));
            return failed(ExitCode.INTERNAL, "an error in Muster: " + broken);
        }
    }

    private static int failed(ExitCode code, String message) {
        Console.sayAtOnce("exit " + code.code() + ": " + message);
        return code.code();
    }
}
