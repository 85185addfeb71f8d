package dev.muster.runtime.supervise;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.AtomicFile;
import dev.muster.runtime.files.Directories;
import dev.muster.runtime.files.FileException;
import dev.muster.runtime.files.RunDirectory;
import dev.muster.runtime.ports.Ports;
import dev.muster.spi.GeneratedFile;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Value;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Tells what the values of a plan stand for on this machine, files and ports included: each is made when it is first asked for. */
final class ValueResolver {

    private final LaunchPlan plan;
    private final RunDirectory runDirectory;
    private final Ports ports;
    private final Supplier<Path> program;
    private final Consumer<String> warn;
    private final Map<String, Integer> drawn = new HashMap<>();
    private final Map<String, Path> files = new HashMap<>();

    /** @param program gives the path of the launcher's own program */
    ValueResolver(
            LaunchPlan plan, RunDirectory runDirectory, Ports ports, Supplier<Path> program, Consumer<String> warn) {
        this.plan = plan;
        this.runDirectory = runDirectory;
        this.ports = ports;
        this.program = program;
        this.warn = warn;
    }

    /** @throws MusterException when a file cannot be written anywhere */
    void writeFiles() {
        plan.files().forEach(file -> pathOf(file.id()));
    }

    /** The text of a value. */
    String of(Value value) {
        return switch (value.kind()) {
            case LITERAL -> value.text();
            case PATH_OF -> pathOf(value.text()).toString();
            case FREE_PORT ->
                drawn.computeIfAbsent(value.text(), name -> ports.draw()).toString();
            case PRIVATE_DIRECTORY -> runDirectory.path().toString();
            case SUPERVISOR -> program.get().toString();
            case RESOURCE -> throw new IllegalStateException("the resource " + value.text() + " was not read");
            case JOINED -> value.parts().stream().map(this::of).collect(Collectors.joining());
        };
    }

    /** Where a file lies; it is written by now. A file may name others. */
    private Path pathOf(String id) {
        Path known = files.get(id);
        if (known == null) {
            known = plan.files().stream()
                    .filter(file -> file.id().equals(id))
                    .findFirst()
                    .map(this::write)
                    .orElseThrow(() -> new IllegalStateException("the plan has no file " + id));
            files.put(id, known);
        }
        return known;
    }

    private Path write(GeneratedFile file) {
        String content = of(file.text());
        if (file.directory().isPresent()) {
            Path wanted = Path.of(file.directory().get());
            try {
                Directories.make(wanted);
                return AtomicFile.write(wanted, file.name(), content);
            } catch (FileException refused) {
                warn.accept(refused.getMessage() + "; using " + runDirectory.path() + " instead");
            }
        }
        try {
            return AtomicFile.write(runDirectory.path(), file.name(), content);
        } catch (FileException refused) {
            throw new MusterException(ExitCode.CONFIGURATION, String.valueOf(refused.getMessage()), refused);
        }
    }
}
