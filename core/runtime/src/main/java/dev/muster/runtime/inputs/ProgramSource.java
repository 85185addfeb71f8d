package dev.muster.runtime.inputs;

import dev.muster.runtime.process.Executables;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import java.nio.file.Path;
import java.util.Optional;

/** A program that is installed or is not. */
final class ProgramSource implements Source {

    private final Input.Program input;
    private final Path directory;
    private final Optional<String> searchPath;

    ProgramSource(Input.Program input, Path directory, Optional<String> searchPath) {
        this.input = input;
        this.directory = directory;
        this.searchPath = searchPath;
    }

    @Override
    public String id() {
        return input.id();
    }

    @Override
    public String subject() {
        return "program " + Printable.escape(input.name());
    }

    @Override
    public Look look() {
        Optional<Path> found = Executables.find(input.name(), searchPath, input.alsoIn(), directory);
        return new Look.Ready(
                found.isPresent() ? new InputValue.Program(found.get().toString()) : new InputValue.Absent());
    }
}
