package dev.muster.runtime.launch;

import dev.muster.runtime.platform.Site;
import dev.muster.runtime.process.Executables;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.Places;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What can be said of the training command before anything is awaited or started. */
final class CommandCheck {

    private final List<String> command;
    private final Path callersDirectory;
    private final Places places;
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

    /** A hint for the classic mistake: a path that is right for the caller and wrong for the ranks. */
    Optional<String> hint() {
        for (String argument : command) {
            if (existsOnlyForCaller(argument)) {
                return Optional.of(
                        Printable.quote(argument) + " exists in " + callersDirectory + ", but the ranks run in "
                                + places.workDirectoryOf("...") + "; give an absolute path, or --workdir");
            }
        }
        return Optional.empty();
    }

    private boolean existsOnlyForCaller(String argument) {
        if (argument.isEmpty() || argument.startsWith("-") || argument.startsWith("/")) {
            return false;
        }
        Path work = Path.of(places.workDirectory());
        if (!places.workDirectoryPerTask() && work.equals(callersDirectory)) {
            return false;
        }
        try {
            return Files.isRegularFile(callersDirectory.resolve(argument)) && !Files.exists(work.resolve(argument));
        } catch (InvalidPathException noPath) {
            return false;
        }
    }
}
