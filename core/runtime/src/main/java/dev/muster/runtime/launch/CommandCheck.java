package dev.muster.runtime.launch;

import dev.muster.runtime.platform.Site;
import dev.muster.runtime.process.Executables;
import dev.muster.spi.JobDirectories;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What can be said of the training command before anything is awaited or started. */
final class CommandCheck {

    private final List<String> command;
    private final JobDirectories places;
    private final Optional<String> searchPath;

    CommandCheck(List<String> command, Site site, Optional<String> searchPath) {
        this.command = command;
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
}
