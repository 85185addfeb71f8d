package dev.muster.runtime.supervise;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.AtomicFile;
import dev.muster.runtime.files.Directories;
import dev.muster.runtime.files.FileException;
import dev.muster.runtime.ports.Ports;
import dev.muster.spi.GeneratedFile;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Value;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Resolves the values of a plan on this machine. It writes a file or draws a port when a value first needs it. */
final class ValueResolver {

    private final LaunchPlan plan;
    private final RunTools tools;
    private final Ports ports;
    private final Map<String, Integer> drawn = new HashMap<>();
    private final Map<String, Path> files = new HashMap<>();

    ValueResolver(LaunchPlan plan, RunTools tools, Ports ports) {
        this.plan = plan;
        this.tools = tools;
        this.ports = ports;
    }

    /** @throws MusterException a file cannot be written anywhere */
    void writeFiles() {
        plan.files().forEach(file -> pathOf(file.id()));
    }

    String of(Value value) {
        return switch (value.kind()) {
            case LITERAL -> value.text();
            case PATH_OF -> pathOf(value.text()).toString();
            case FREE_PORT ->
                drawn.computeIfAbsent(value.text(), name -> ports.draw()).toString();
            case PRIVATE_DIRECTORY -> privateDirectory().toString();
            case SUPERVISOR -> tools.supervisor().program().toString();
            case RESOURCE -> throw new IllegalStateException("the resource " + value.text() + " was not read");
            case JOINED -> value.parts().stream().map(this::of).collect(Collectors.joining());
        };
    }

    /** The path of a file. Writes the file if it is not written yet. The text of a file may name other files. */
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

    private Path privateDirectory() {
        return tools.directory().path();
    }

    private Path write(GeneratedFile file) {
        String content = of(file.text());
        if (file.directory().isPresent()) {
            Path wanted = Path.of(file.directory().get());
            try {
                Directories.make(wanted);
                return AtomicFile.write(wanted, file.name(), content);
            } catch (FileException refused) {
                tools.console().warn(refused.getMessage() + "; using " + privateDirectory() + " instead");
            }
        }
        try {
            return AtomicFile.write(privateDirectory(), file.name(), content);
        } catch (FileException refused) {
            throw new MusterException(ExitCode.CONFIGURATION, String.valueOf(refused.getMessage()), refused);
        }
    }
}
