package dev.muster.runtime.conda;

import dev.muster.runtime.config.Environment;
import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.ReadableFiles;
import dev.muster.runtime.process.Executables;
import dev.muster.runtime.text.Printable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Finds the conda environment of a job on the disk. */
public record CondaFinder(ProcessInfo processInfo) {

    private static final String IMAGE_ROOT = CondaEnvironment.IMAGE_ROOT;

    /** ModelArts' images: the environment for a boot command that is just {@code python}. */
    private static final String IMAGE_NAME = "DEFAULT_CONDA_ENV_NAME";

    private static final String BASE = "base";
    private static final String ENVIRONMENTS = "envs";
    private static final Set<String> PLAIN_COMMANDS = Set.of("python", "python3");

    /**
     * The environment that a job is to run in: the one that somebody chose, else the default of ModelArts' images.
     *
     * @param chosen the setting of {@code --conda-env}
     * @param program the first word of the job's command
     * @param warn told of a default that is not there
     * @return empty: the job runs in the caller's environment
     * @throws MusterException when the one that somebody chose is not there
     */
    public Optional<CondaEnvironment> find(Optional<Setting> chosen, String program, Consumer<String> warn) {
        return chosen.isPresent() ? Optional.of(chosen(chosen.get())) : ofImage(program, warn);
    }

    private CondaEnvironment chosen(Setting setting) {
        List<Path> places = places(setting.value());
        Path prefix = places.stream()
                .filter(CondaFinder::isEnvironment)
                .findFirst()
                .orElseThrow(() -> refusal(setting, "is no conda environment" + looked(places)));
        if (prefix.toString().indexOf(':') >= 0) {
            throw refusal(setting, "has a colon, which PATH cannot hold. Rename the environment");
        }
        return new CondaEnvironment(prefix, nameOf(prefix), setting.origin());
    }

    private static String looked(List<Path> places) {
        String all =
                places.stream().map(place -> Printable.escape(place.toString())).collect(Collectors.joining(", "));
        return all.isEmpty()
                ? ": it is neither a name nor an absolute path"
                : " here; looked for " + all + ". Give a name or an absolute path";
    }

    /** The places where an environment of this name may be. */
    private List<Path> places(String value) {
        List<Path> places = new ArrayList<>();
        try {
            Path path = Path.of(value);
            if (path.isAbsolute() || path.startsWith(".") || path.startsWith("..")) {
                places.add(processInfo.directory().resolve(path).normalize());
            } else if (path.startsWith("~")) {
                home().ifPresent(home ->
                        places.add(home.resolve(Path.of("~").relativize(path)).normalize()));
            } else if (value.equals(BASE)) {
                places.addAll(roots());
            } else if (!value.isEmpty() && path.getNameCount() == 1) {
                roots().forEach(root -> places.add(root.resolve(ENVIRONMENTS).resolve(value)));
                // Conda puts environments here if the user cannot write to the installation.
                home().ifPresent(home ->
                        places.add(home.resolve(".conda").resolve(ENVIRONMENTS).resolve(value)));
            }
        } catch (InvalidPathException noPath) {
            return List.of();
        }
        return places;
    }

    /** The directories of conda installations, those that are named first. */
    private List<Path> roots() {
        List<Path> roots = new ArrayList<>();
        variable(IMAGE_ROOT).ifPresent(roots::add);
        variable("CONDA_EXE").map(CondaFinder::rootOf).ifPresent(roots::add);
        variable("CONDA_ROOT").ifPresent(roots::add);
        variable("MAMBA_ROOT_PREFIX").ifPresent(roots::add);
        onPath("conda").map(CondaFinder::rootOf).ifPresent(roots::add);
        home().ifPresent(home ->
                List.of("miniconda3", "anaconda3", "miniforge3").forEach(name -> roots.add(home.resolve(name))));
        roots.add(Path.of("/opt/conda"));
        return roots;
    }

    /** The contract of ModelArts' custom images: a boot command that is just Python runs in the image's environment. */
    private Optional<CondaEnvironment> ofImage(String program, Consumer<String> warn) {
        Optional<Path> root = variable(IMAGE_ROOT);
        Optional<String> name = environment().value(IMAGE_NAME);
        if (!PLAIN_COMMANDS.contains(program)
                || environment().value("CONDA_PREFIX").isPresent()
                || root.isEmpty()
                || name.isEmpty()
                || isActive(program, root.get())) {
            return Optional.empty();
        }
        Path prefix = name.get().equals(BASE)
                ? root.get()
                : root.get().resolve(ENVIRONMENTS).resolve(name.get());
        if (!isEnvironment(prefix)) {
            warn.accept(IMAGE_NAME + " is " + Printable.quote(name.get()) + ", but " + IMAGE_ROOT + " ("
                    + Printable.escape(root.get().toString()) + ") has no such conda environment; " + program
                    + " is the one of PATH. Correct the variables, or give --conda-env");
            return Optional.empty();
        }
        return Optional.of(new CondaEnvironment(prefix, nameOf(prefix), IMAGE_ROOT + " and " + IMAGE_NAME));
    }

    private boolean isActive(String program, Path root) {
        Optional<Path> place = real(root.resolve(ENVIRONMENTS));
        return place.isPresent()
                && onPath(program)
                        .filter(found -> found.startsWith(place.get()))
                        .isPresent();
    }

    /** The real path of a program on PATH, without links. */
    private Optional<Path> onPath(String program) {
        return Executables.find(program, environment().value("PATH"), List.of(), processInfo.directory())
                .flatMap(CondaFinder::real);
    }

    private static Optional<Path> real(Path path) {
        try {
            return Optional.of(path.toRealPath());
        } catch (IOException notThere) {
            return Optional.empty();
        }
    }

    /** As conda itself calls it. */
    private String nameOf(Path prefix) {
        Path place = prefix.getParent();
        if (place != null && place.endsWith(ENVIRONMENTS)) {
            return String.valueOf(prefix.getFileName());
        }
        return roots().contains(prefix) ? BASE : prefix.toString();
    }

    private Environment environment() {
        return processInfo.environment();
    }

    private Optional<Path> home() {
        return variable("HOME");
    }

    /** The path that a variable holds, if that is an absolute one. */
    private Optional<Path> variable(String name) {
        return environment()
                .value(name)
                .flatMap(ReadableFiles::path)
                .filter(Path::isAbsolute)
                .map(Path::normalize);
    }

    /** The root of {@code ROOT/bin/conda} or {@code ROOT/condabin/conda}. */
    private static Path rootOf(Path program) {
        return program.resolve("../..").normalize();
    }

    private static boolean isEnvironment(Path prefix) {
        return Files.isDirectory(prefix.resolve("conda-meta"))
                || Files.exists(prefix.resolve("bin").resolve("python"));
    }

    private static MusterException refusal(Setting setting, String problem) {
        return MusterException.configuration(
                setting.origin() + ": " + Printable.quote(setting.value()) + " " + problem);
    }
}
