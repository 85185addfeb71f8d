package dev.muster.runtime.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Worlds for tests. */
public final class TestWorlds {

    private TestWorlds() {}

    /** The world of a launcher that was called in a directory. */
    public static World of(Path directory, Map<String, String> variables, String... arguments) {
        Launcher launcher = new Launcher(Optional.empty(), Path.of("/java"), List.of(Path.of("/muster.jar")));
        return new World(List.of(arguments), Environment.of(variables), directory, 4711, launcher);
    }

    /** The same, called in {@code /caller}. */
    public static World of(Map<String, String> variables, String... arguments) {
        return of(Path.of("/caller"), variables, arguments);
    }

    /** A world in which the link's secret is given by its variable. */
    public static World withLinkSecret(Path directory, String secret) {
        World world = of(directory, Map.of());
        return new World(
                world.arguments(),
                world.environment(),
                world.directory(),
                world.pid(),
                world.launcher(),
                Optional.of(new Secret(secret)),
                List.of());
    }
}
