package dev.muster.runtime.supervise;

import dev.muster.spi.Value;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** What the values of a plan stand for on this machine. */
final class Texts {

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
    Texts(
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
        return value.fold(new OfRun());
    }

    private final class OfRun implements Value.Cases<String> {

        @Override
        public String literal(Value.Literal literal) {
            return literal.text();
        }

        @Override
        public String pathOf(Value.PathOf file) {
            return files.apply(file.fileId()).toString();
        }

        @Override
        public String freePort(Value.FreePort port) {
            return ports.computeIfAbsent(port.name(), draw).toString();
        }

        @Override
        public String privateDirectory(Value.PrivateDirectory directory) {
            return Texts.this.privateDirectory.get().toString();
        }

        @Override
        public String supervisor(Value.Supervisor supervisor) {
            return program.get().toString();
        }

        @Override
        public String environmentOf(Value.EnvironmentOf environment) {
            return environments.of(environment.processId(), part -> of(part));
        }

        @Override
        public String resource(Value.Resource resource) {
            throw new IllegalStateException("the resource " + resource.name() + " was not read");
        }

        @Override
        public String joined(Value.Joined joined) {
            return joined.parts().stream().map(part -> of(part)).collect(Collectors.joining());
        }
    }
}
