package dev.muster.runtime.conda;

import dev.muster.runtime.config.Environment;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.World;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.process.Executables;
import dev.muster.runtime.text.Nearest;
import dev.muster.runtime.text.Printable;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Finds the conda environment of a job on the disk. */
public final class CondaFinder {

    private static final String BASE = "base";
    private static final Set<String> PLAIN_COMMANDS = Set.of("python", "python3");
    private static final int MOST_NAMES = 20;

    private final Environment environment;
    private final Path directory;
    private final CondaPlaces places;

    public CondaFinder(World world) {
        this.environment = world.environment();
        this.directory = world.directory();
        this.places = new CondaPlaces(environment);
    }

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
        String value = setting.value();
        boolean isPath = value.startsWith("/")
                || value.equals(".")
                || value.startsWith("./")
                || value.startsWith("../")
                || value.equals("~")
                || value.startsWith("~/");
        Path prefix = isPath ? atPath(setting) : byName(setting);
        if (prefix.toString().indexOf(':') >= 0) {
            throw refusal(setting, "has a colon, which PATH cannot hold. Rename the environment");
        }
        return new CondaEnvironment(prefix, nameOf(prefix), setting.origin());
    }

    private Path atPath(Setting setting) {
        String value = setting.value();
        try {
            Path path = value.startsWith("~")
                    ? places.variable("HOME")
                            .orElseThrow(() -> refusal(setting, "needs HOME, which is not set. Give an absolute path"))
                            .resolve(value.length() > 2 ? value.substring(2) : "")
                    : directory.resolve(value);
            if (isEnvironment(path)) {
                return path.normalize();
            }
            throw refusal(
                    setting,
                    (Files.isDirectory(path) ? "has neither conda-meta nor bin/python: it is" : "is")
                            + " no conda environment. " + existing(""));
        } catch (InvalidPathException noPath) {
            throw refusal(setting, "is no path. " + existing(""));
        }
    }

    private Path byName(Setting setting) {
        String name = setting.value();
        if (isName(name)) {
            Optional<Path> program = condaOnPath();
            if (name.equals(BASE)) {
                return places.roots(program).stream()
                        .filter(CondaFinder::isEnvironment)
                        .findFirst()
                        .orElseThrow(() -> refusal(setting, "is no conda environment here. " + existing(name)));
            }
            for (Path place : places.directories(program)) {
                if (isEnvironment(place.resolve(name))) {
                    return place.resolve(name);
                }
            }
        }
        throw refusal(setting, "is no conda environment here. " + existing(name));
    }

    /** The contract of ModelArts' custom images: a boot command that is just Python runs in the image's environment. */
    private Optional<CondaEnvironment> ofImage(String program, Consumer<String> warn) {
        if (!isOfImageWanted(program)) {
            return Optional.empty();
        }
        String root = environment.value(CondaPlaces.IMAGE_ROOT).orElseThrow();
        String name = environment.value(CondaPlaces.IMAGE_NAME).orElseThrow();
        Optional<Path> image = places.variable(CondaPlaces.IMAGE_ROOT);
        Optional<Path> prefix = image.filter(path -> isName(name))
                .map(path -> name.equals(BASE)
                        ? path
                        : path.resolve(CondaPlaces.ENVIRONMENTS).resolve(name))
                .filter(CondaFinder::isEnvironment)
                .filter(path -> path.toString().indexOf(':') < 0);
        if (image.isPresent() && isFoundBelow(program, image.get().resolve(CondaPlaces.ENVIRONMENTS))) {
            return Optional.empty();
        }
        if (prefix.isEmpty()) {
            warn.accept(
                    CondaPlaces.IMAGE_NAME + " is " + Printable.quote(name) + ", but " + CondaPlaces.IMAGE_ROOT + " ("
                            + Printable.quote(root) + ") has no such conda environment; " + program
                            + " is the one of PATH. Correct the variables, or give --conda-env");
        }
        return prefix.map(path ->
                new CondaEnvironment(path, nameOf(path), CondaPlaces.IMAGE_ROOT + " and " + CondaPlaces.IMAGE_NAME));
    }

    private boolean isOfImageWanted(String program) {
        return PLAIN_COMMANDS.contains(program)
                && environment.value("CONDA_PREFIX").isEmpty()
                && environment.value(CondaPlaces.IMAGE_ROOT).isPresent()
                && environment.value(CondaPlaces.IMAGE_NAME).isPresent();
    }

    private boolean isFoundBelow(String program, Path place) {
        Optional<Path> found = Executables.find(program, environment.value("PATH"), List.of(), directory);
        if (found.isEmpty()) {
            return false;
        }
        try {
            return found.get().normalize().startsWith(place)
                    || found.get().toRealPath().startsWith(place.toRealPath());
        } catch (IOException notThere) {
            return false;
        }
    }

    /** As conda itself calls it. */
    private String nameOf(Path prefix) {
        Path place = prefix.getParent();
        boolean isNamed = place != null && place.endsWith(CondaPlaces.ENVIRONMENTS);
        if (isNamed) {
            return String.valueOf(prefix.getFileName());
        }
        return places.roots(condaOnPath()).contains(prefix) ? BASE : prefix.toString();
    }

    private Optional<Path> condaOnPath() {
        try {
            Optional<Path> found = Executables.find("conda", environment.value("PATH"), List.of(), directory);
            return found.isPresent() ? Optional.of(found.get().toRealPath()) : Optional.empty();
        } catch (IOException goneMeanwhile) {
            return Optional.empty();
        }
    }

    private static boolean isName(String text) {
        return !text.isEmpty()
                && text.indexOf('/') < 0
                && !text.equals(".")
                && !text.equals("..")
                && text.chars().noneMatch(Character::isISOControl);
    }

    private static boolean isEnvironment(Path prefix) {
        return Files.isDirectory(prefix.resolve("conda-meta"))
                || Files.exists(prefix.resolve("bin").resolve("python"));
    }

    private static MusterException refusal(Setting setting, String problem) {
        return MusterException.configuration(
                setting.origin() + ": " + Printable.quote(setting.value()) + " " + problem);
    }

    /** What there is instead. */
    private String existing(String wanted) {
        Set<String> names = names();
        if (names.isEmpty()) {
            String where = String.join(
                    ", ",
                    places.directories(condaOnPath()).stream()
                            .map(place -> Printable.escape(place.toString()))
                            .toList());
            return "There is none in " + where + ". Give an absolute path";
        }
        String some = String.join(
                ", ", names.stream().limit(MOST_NAMES).map(Printable::escape).toList());
        return "There " + (names.size() == 1 ? "is " : "are ") + some
                + (names.size() > MOST_NAMES ? ", ..." : "") + Nearest.suggestion(wanted, names)
                + ". Give one of these names, or an absolute path";
    }

    private Set<String> names() {
        Set<String> names = new TreeSet<>();
        Optional<Path> program = condaOnPath();
        if (places.roots(program).stream().anyMatch(CondaFinder::isEnvironment)) {
            names.add(BASE);
        }
        for (Path place : places.directories(program)) {
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(place, CondaFinder::isEnvironment)) {
                entries.forEach(entry -> names.add(String.valueOf(entry.getFileName())));
            } catch (IOException | DirectoryIteratorException unreadable) {
                // Most of these places are not there.
            }
        }
        return names;
    }
}
