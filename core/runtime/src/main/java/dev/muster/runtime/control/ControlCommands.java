package dev.muster.runtime.control;

import dev.muster.runtime.cli.LauncherRequest;
import dev.muster.runtime.cli.StandardOutput;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.text.Printable;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * {@code muster ps}, and the help of {@code muster stop}, which the native program carries out itself. They have little time, so that
 * nothing is made for them but what they need.
 */
public final class ControlCommands {

    private ControlCommands() {}

    /** Whether a command line is that of one of these. */
    public static boolean areMeant(List<String> arguments) {
        return LauncherRequest.isMeant(arguments);
    }

    /**
     * @param pid of this launcher, which is not listed
     * @param nanoClock {@link System#nanoTime()}
     * @return the exit code
     */
    public static int run(List<String> arguments, long pid, LongSupplier nanoClock) {
        try {
            Optional<String> information = LauncherRequest.information(arguments);
            if (information.isPresent()) {
                return StandardOutput.write(information.get()) ? 0 : ExitCode.UNAVAILABLE.code();
            }
            LauncherRequest request = LauncherRequest.read(arguments);
            return new ListCommand(
                            new LauncherSockets(Path.of("/"), pid),
                            ProcessHandle.current().pid(),
                            nanoClock)
                    .run(request.isJson());
        } catch (MusterException refused) {
            return failed(refused.exitCode().code(), String.valueOf(refused.getMessage()), refused, arguments);
        } catch (RuntimeException | Error broken) {
            return failed(ExitCode.INTERNAL.code(), "an error in Muster: " + broken, broken, arguments);
        }
    }

    private static int failed(int code, String message, Throwable cause, List<String> arguments) {
        if (arguments.contains(OptionTable.STACKTRACE.flag())) {
            StringWriter trace = new StringWriter();
            cause.printStackTrace(new PrintWriter(trace));
            trace.toString().lines().forEach(line -> Console.sayAtOnce("\t" + Printable.escape(line.strip())));
        }
        Console.sayAtOnce("exit " + code + ": " + message);
        return code;
    }
}
