package dev.muster.runtime.supervise;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.Directories;
import dev.muster.runtime.files.FileException;
import dev.muster.runtime.files.RunDirectory;
import dev.muster.runtime.ports.Ports;
import dev.muster.spi.GeneratedFile;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.RequiredDirectory;
import dev.muster.spi.Value;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Makes a plan ready to be carried out. Nothing has been started when it fails. */
final class Preparation {

    private final RunTools tools;
    private final Ports ports;
    private final RunSettings.JobSettings job;
    private final Consumer<String> warn;
    private final Set<String> told = new HashSet<>();

    Preparation(RunTools tools, Ports ports, RunSettings.JobSettings job) {
        this.tools = tools;
        this.ports = ports;
        this.job = job;
        this.warn = tools.console()::warn;
    }

    /** @throws MusterException when a directory or file that is needed cannot be made, or a command cannot be run */
    PreparedPlan prepare(LaunchPlan plan) {
        plan.directories().forEach(this::make);
        plan.processes().forEach(Preparation::requireWorkDirectory);
        RunDirectory directory = tools.directory();
        if (usesPrivateDirectory(plan)) {
            directory.requireClosed();
            // Before the supervisor is told what to remove.
            directory.path();
            directory
                    .openVolume()
                    .ifPresent(volume -> warn.accept("the job's keys lie below " + volume + ", which every user in this"
                            + " container can write to: whoever else runs there could exchange them. Set XDG_RUNTIME_DIR to"
                            + " a directory that only you can write to, if there is one"));
        }
        ValueResolver values = new ValueResolver(plan, directory, ports, tools.supervisor()::program, warn);
        values.writeFiles();
        return new PreparedPlan(plan, values, job.environment());
    }

    private static boolean usesPrivateDirectory(LaunchPlan plan) {
        Stream<Value> ofFiles = plan.files().stream().map(GeneratedFile::text);
        Stream<Value> ofProcesses = plan.processes().stream()
                .map(ProcessSpec::launch)
                .flatMap(launch ->
                        Stream.concat(launch.command().stream(), launch.environment().set().values().stream()));
        return Stream.concat(ofFiles, ofProcesses)
                .flatMap(value -> value.leaves().stream())
                .anyMatch(part -> part.is(Value.Kind.PRIVATE_DIRECTORY));
    }

    private void make(RequiredDirectory directory) {
        Path path = Path.of(directory.path());
        try {
            if (directory.required()) {
                Directories.make(path);
            } else {
                // It lies beside the logs, where others may have put links.
                Directories.makeShared(path);
            }
        } catch (FileException refused) {
            String message = directory.purpose() + ": " + refused.getMessage();
            if (directory.required()) {
                throw new MusterException(ExitCode.CONFIGURATION, message, refused);
            }
            // Of a thousand ranks' directories below one link.
            if (told.add(String.valueOf(refused.getMessage()))) {
                warn.accept(message + "; going on without it");
            }
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
}
