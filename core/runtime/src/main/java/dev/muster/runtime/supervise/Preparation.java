package dev.muster.runtime.supervise;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.Directories;
import dev.muster.runtime.files.FileException;
import dev.muster.runtime.files.RunDirectory;
import dev.muster.runtime.ports.Ports;
import dev.muster.runtime.text.Secrets;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.RequiredDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Makes a plan ready to be carried out. Nothing has been started when it fails. */
final class Preparation {

    private final RunDirectory runDirectory;
    private final Ports ports;
    private final Supplier<Path> program;
    private final Map<String, String> environment;
    private final Secrets secrets;
    private final Consumer<String> warn;
    private final Set<String> told = new HashSet<>();

    /** @param program gives the path of the launcher's own program */
    Preparation(
            RunDirectory runDirectory,
            Ports ports,
            Supplier<Path> program,
            Map<String, String> environment,
            Secrets secrets,
            Consumer<String> warn) {
        this.runDirectory = runDirectory;
        this.ports = ports;
        this.program = program;
        this.environment = environment;
        this.secrets = secrets;
        this.warn = warn;
    }

    /** @throws MusterException when a directory or file that is needed cannot be made, or a command cannot be run */
    PreparedPlan prepare(LaunchPlan plan) {
        plan.directories().forEach(this::make);
        plan.processes().forEach(Preparation::requireWorkDirectory);
        if (PrivateWords.areIn(plan)) {
            // Before the supervisor is told what to remove.
            runDirectory.path();
            runDirectory
                    .openVolume()
                    .ifPresent(volume -> warn.accept("the job's keys lie below " + volume + ", which every user in this"
                            + " container can write to: whoever else runs there could exchange them. Set XDG_RUNTIME_DIR to"
                            + " a directory that only you can write to, if there is one"));
        }
        PlanFiles files = new PlanFiles(
                plan,
                runDirectory,
                warn,
                name -> ports.draw(),
                program,
                new EnvironmentText(plan, environment, secrets));
        files.writeEarly();
        return new PreparedPlan(plan, files, environment);
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
