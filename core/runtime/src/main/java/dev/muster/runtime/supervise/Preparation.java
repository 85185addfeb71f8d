package dev.muster.runtime.supervise;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.AtomicFile;
import dev.muster.runtime.files.Directories;
import dev.muster.runtime.files.FileException;
import dev.muster.runtime.files.RunDirectory;
import dev.muster.runtime.ports.Ports;
import dev.muster.spi.DirectoryToMake;
import dev.muster.spi.FileToWrite;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.Value;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Makes a plan ready to be carried out. Nothing has been started when it fails. */
final class Preparation {

    private final RunDirectory runDirectory;
    private final Ports ports;
    private final Map<String, String> environment;
    private final Consumer<String> warn;

    Preparation(RunDirectory runDirectory, Ports ports, Map<String, String> environment, Consumer<String> warn) {
        this.runDirectory = runDirectory;
        this.ports = ports;
        this.environment = environment;
        this.warn = warn;
    }

    /** @throws MusterException when a directory or file that is needed cannot be made, or a command cannot be run */
    PreparedPlan prepare(LaunchPlan plan) {
        plan.directories().forEach(this::make);
        plan.processes().forEach(Preparation::requireWorkDirectory);
        Map<String, Path> files = new HashMap<>();
        for (FileToWrite file : plan.files()) {
            files.put(file.id(), write(file));
        }
        return new PreparedPlan(plan, files, drawnPorts(plan), environment);
    }

    private Map<String, Integer> drawnPorts(LaunchPlan plan) {
        Map<String, Integer> drawn = new HashMap<>();
        for (ProcessSpec process : plan.processes()) {
            process.launch().command().forEach(value -> draw(value, drawn));
            process.launch().environment().set().values().forEach(value -> draw(value, drawn));
        }
        return drawn;
    }

    private void draw(Value value, Map<String, Integer> drawn) {
        if (value instanceof Value.FreePort port) {
            drawn.computeIfAbsent(port.name(), name -> ports.draw());
        } else if (value instanceof Value.Joined joined) {
            joined.parts().forEach(part -> draw(part, drawn));
        }
    }

    private void make(DirectoryToMake directory) {
        try {
            Directories.make(Path.of(directory.path()));
        } catch (FileException refused) {
            String message = directory.purpose() + ": " + refused.getMessage();
            if (directory.required()) {
                throw new MusterException(ExitCode.CONFIGURATION, message, refused);
            }
            warn.accept(message + "; going on without it");
        }
    }

    private static void requireWorkDirectory(ProcessSpec process) {
        Path directory = Path.of(process.launch().workDirectory());
        if (!Files.isDirectory(directory) || !Files.isExecutable(directory)) {
            String problem = Files.exists(directory) ? "cannot be entered" : "does not exist";
            throw MusterException.configuration("the working directory " + directory + " of " + process.id() + " "
                    + problem + "; choose another with --workdir");
        }
    }

    private Path write(FileToWrite file) {
        byte[] content = file.content().getBytes(StandardCharsets.UTF_8);
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
