package dev.muster.runtime.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Arguments, variables and directories of launchers in tests. */
public final class TestProcesses {

    private TestProcesses() {}

    /** A launcher that was started in a directory. */
    public static ProcessInfo of(Path directory, Map<String, String> variables, String... arguments) {
        Launcher launcher = new Launcher(Optional.empty(), Path.of("/java"), List.of(Path.of("/muster.jar")));
        return new ProcessInfo(
                List.of(arguments), Environment.of(variables), directory, 4711, launcher, Optional.empty(), List.of());
    }

    /** A launcher that was started in {@code /caller}. */
    public static ProcessInfo of(Map<String, String> variables, String... arguments) {
        return of(Path.of("/caller"), variables, arguments);
    }

    /** A launcher that gets the secret of the link from a variable. */
    public static ProcessInfo withLinkSecret(Path directory, String secret) {
        ProcessInfo processInfo = of(directory, Map.of());
        return new ProcessInfo(
                processInfo.arguments(),
                processInfo.environment(),
                processInfo.directory(),
                processInfo.pid(),
                processInfo.launcher(),
                Optional.of(new Secret(secret)),
                List.of());
    }
}
