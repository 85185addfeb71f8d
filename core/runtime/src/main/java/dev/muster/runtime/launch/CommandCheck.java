package dev.muster.runtime.launch;

import dev.muster.runtime.platform.Site;
import dev.muster.runtime.process.Executables;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.JobDirectories;
import dev.muster.spi.LaunchPlan;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What can be said of the training command before anything is awaited or started. */
final class CommandCheck {

    private final List<String> command;
    private final Path callersDirectory;
    private final JobDirectories places;
    private final Optional<String> searchPath;

    CommandCheck(List<String> command, Path callersDirectory, Site site, Optional<String> searchPath) {
        this.command = command;
        this.callersDirectory = callersDirectory;
        this.places = site.places();
        this.searchPath = searchPath;
    }

    /**
     * A relative path is looked up where the ranks run; when each has a directory of its own, that is known only with the
     * plan.
     *
     * @throws dev.muster.runtime.errors.MusterException 127 or 126
     */
    void requireProgram() {
        String program = command.get(0);
        boolean relative = program.contains("/") && !program.startsWith("/");
        if (!(relative && places.workDirectoryPerTask())) {
            Executables.resolve(program, searchPath, Path.of(places.workDirectory()));
        }
    }

    /** A hint for the classic mistake: a path that is right for the caller and wrong for the processes of the plan. */
    Optional<String> hint(LaunchPlan plan) {
        if (plan.processes().isEmpty()) {
            return Optional.empty();
        }
        Path work = Path.of(plan.processes().get(0).launch().workDirectory());
        for (String argument : work.equals(callersDirectory) ? List.<String>of() : command) {
            if (existsOnlyForCaller(argument, work)) {
                return Optional.of(Printable.quote(argument) + " exists in " + callersDirectory
                        + ", but the command runs in " + work + "; give an absolute path, or --workdir");
            }
        }
        return Optional.empty();
    }

    private boolean existsOnlyForCaller(String argument, Path work) {
        if (argument.isEmpty() || argument.startsWith("-") || argument.startsWith("/")) {
            return false;
        }
        try {
            return Files.isRegularFile(callersDirectory.resolve(argument)) && !Files.exists(work.resolve(argument));
        } catch (InvalidPathException noPath) {
            return false;
        }
    }
}
