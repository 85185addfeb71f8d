package dev.muster.runtime.conda;

import dev.muster.runtime.config.Environment;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Where conda environments lie, as the variables tell; nothing is looked up on the disk. */
final class CondaPlaces {

    /** ModelArts' images: where conda is installed. */
    static final String IMAGE_ROOT = "ANACONDA_DIR";

    /** ModelArts' images: the environment for a boot command that is just {@code python}. */
    static final String IMAGE_NAME = "DEFAULT_CONDA_ENV_NAME";

    static final String ENVIRONMENTS = "envs";

    private static final List<String> ROOT_VARIABLES = List.of("CONDA_ROOT", "MAMBA_ROOT_PREFIX");
    private static final List<String> AT_HOME = List.of("miniconda3", "anaconda3", "miniforge3");
    private static final Path USUAL = Path.of("/opt/conda");

    private final Environment environment;

    CondaPlaces(Environment environment) {
        this.environment = environment;
    }

    /**
     * The directories of conda installations, those that are named first.
     *
     * @param program the {@code conda} on PATH without symbolic links, if there is one
     */
    List<Path> roots(Optional<Path> program) {
        Set<Path> roots = new LinkedHashSet<>();
        variable(IMAGE_ROOT).ifPresent(roots::add);
        variable("CONDA_EXE").flatMap(CondaPlaces::rootOf).ifPresent(roots::add);
        ROOT_VARIABLES.forEach(name -> variable(name).ifPresent(roots::add));
        program.flatMap(CondaPlaces::rootOf).ifPresent(roots::add);
        variable("HOME").ifPresent(home -> AT_HOME.forEach(name -> roots.add(home.resolve(name))));
        roots.add(USUAL);
        return List.copyOf(roots);
    }

    /** The directories in which environments lie by their names. */
    List<Path> directories(Optional<Path> program) {
        List<Path> directories = new ArrayList<>();
        roots(program).forEach(root -> directories.add(root.resolve(ENVIRONMENTS)));
        // Where conda puts those of a user who cannot write to the installation.
        variable("HOME")
                .ifPresent(home -> directories.add(
                        directories.size() - 1, home.resolve(".conda").resolve(ENVIRONMENTS)));
        return directories;
    }

    /** The path that a variable holds, if that is an absolute one. */
    Optional<Path> variable(String name) {
        try {
            return environment
                    .value(name)
                    .map(Path::of)
                    .filter(Path::isAbsolute)
                    .map(Path::normalize);
        } catch (InvalidPathException noPath) {
            return Optional.empty();
        }
    }

    /** {@code ROOT/bin/conda} or {@code ROOT/condabin/conda}. */
    private static Optional<Path> rootOf(Path program) {
        return Optional.ofNullable(program.getParent()).map(Path::getParent);
    }
}
