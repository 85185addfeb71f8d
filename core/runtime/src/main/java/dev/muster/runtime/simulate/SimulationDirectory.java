package dev.muster.runtime.simulate;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.Directories;
import dev.muster.runtime.files.FileException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The directory of a simulation's nodes.
 *
 * @param id of the simulation; part of its job's id
 */
record SimulationDirectory(Path path, String id) {

    private static final String PARENT = "muster-sim";

    /**
     * Chooses the directory, which need not exist.
     *
     * @param chosen {@code --log-dir}; else a new directory below {@code ./muster-sim}
     * @param base of its id
     */
    static SimulationDirectory choose(Optional<Path> chosen, Path callersDirectory, String base) {
        if (chosen.isPresent()) {
            return new SimulationDirectory(chosen.get(), base);
        }
        Path parent = callersDirectory.resolve(PARENT);
        String id = base;
        // In PID namespaces two simulations can have the same pid.
        for (int copy = 2; Files.exists(parent.resolve(id)); copy++) {
            id = base + "-" + copy;
        }
        return new SimulationDirectory(parent.resolve(id), id);
    }

    /** @throws MusterException it cannot be made */
    void make() {
        try {
            Directories.make(path);
        } catch (FileException refused) {
            throw new MusterException(
                    ExitCode.CONFIGURATION, refused.getMessage() + "; choose another place with --log-dir", refused);
        }
    }
}
