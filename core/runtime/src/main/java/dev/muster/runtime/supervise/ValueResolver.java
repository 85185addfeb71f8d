package dev.muster.runtime.supervise;

import dev.muster.spi.Value;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** What the values of a plan stand for on this machine. */
final class ValueResolver {

    private final Map<String, Integer> ports = new HashMap<>();
    private final Function<String, Integer> draw;
    private final Function<String, Path> files;
    private final Supplier<Path> privateDirectory;
    private final Supplier<Path> program;
    private final EnvironmentText environments;

    /**
     * @param draw gives a free port, by its name; asked once for each
     * @param files gives the path of a file, by its id
     * @param privateDirectory makes it when it is first asked for
     * @param program gives the path of the launcher's own program
     * @param environments what processes have in theirs
     */
    ValueResolver(
            Function<String, Integer> draw,
            Function<String, Path> files,
            Supplier<Path> privateDirectory,
            Supplier<Path> program,
            EnvironmentText environments) {
        this.draw = draw;
        this.files = files;
        this.privateDirectory = privateDirectory;
        this.program = program;
        this.environments = environments;
    }

    /** The text of a value. */
    String of(Value value) {
        return switch (value.kind()) {
            case LITERAL -> value.text();
            case PATH_OF -> files.apply(value.text()).toString();
            case FREE_PORT -> ports.computeIfAbsent(value.text(), draw).toString();
            case PRIVATE_DIRECTORY -> privateDirectory.get().toString();
            case SUPERVISOR -> program.get().toString();
            case ENVIRONMENT_OF -> environments.of(value.text(), this::of);
            case RESOURCE -> throw new IllegalStateException("the resource " + value.text() + " was not read");
            case JOINED -> value.parts().stream().map(this::of).collect(Collectors.joining());
        };
    }
}
