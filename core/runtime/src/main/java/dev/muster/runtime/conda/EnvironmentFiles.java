package dev.muster.runtime.conda;

import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.json.Json;
import dev.muster.runtime.text.Printable;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** What a conda environment has for its activation. */
final class EnvironmentFiles {

    /** What {@code conda env config vars} writes for a variable that is to be unset. */
    private static final String UNSET = "***unset***";

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private final Path prefix;

    EnvironmentFiles(Path prefix) {
        this.prefix = prefix;
    }

    /** The scripts of its packages that are read on activation, in their order. */
    List<Path> activation() {
        return list("activate.d", ".sh");
    }

    /** The scripts that are read on deactivation, in their order: the last one first. */
    List<Path> deactivation() {
        List<Path> scripts = new ArrayList<>(list("deactivate.d", ".sh"));
        Collections.reverse(scripts);
        return scripts;
    }

    /**
     * The variables that it sets, those of its packages first: the user's ({@code conda env config vars}) win.
     *
     * @return empty values: to be unset
     * @throws MusterException when a file is no JSON, or a name or a value none that a process can have
     */
    SortedMap<String, Optional<String>> variables() {
        SortedMap<String, Optional<String>> variables = new TreeMap<>();
        for (Path file : list("env_vars.d", ".json")) {
            add(file, read(file), variables);
        }
        Path state = prefix.resolve("conda-meta").resolve("state");
        if (Files.exists(state)) {
            Object own = read(state).get("env_vars");
            if (own instanceof Map<?, ?> map) {
                add(state, map, variables);
            } else if (own != null) {
                throw refusal(state, "has an env_vars that is no object");
            }
        }
        return variables;
    }

    private static void add(Path file, Map<?, ?> content, SortedMap<String, Optional<String>> variables) {
        content.forEach((key, value) -> {
            String name = String.valueOf(key);
            if (!NAME.matcher(name).matches()) {
                throw refusal(file, "sets a variable called " + Printable.quote(name) + ", which is no name");
            }
            String text = value instanceof String string ? string : String.valueOf(value);
            if (value instanceof Map || value instanceof List || text.indexOf('\0') >= 0) {
                throw refusal(file, "has a value for " + name + " that is no text");
            }
            variables.put(name, text.equals(UNSET) ? Optional.empty() : Optional.of(text));
        });
    }

    private static Map<String, Object> read(Path file) {
        try {
            return Json.read(Files.readAllBytes(file)).orElseThrow(reason -> refusal(file, reason));
        } catch (IOException unreadable) {
            throw refusal(file, "cannot be read");
        }
    }

    private List<Path> list(String place, String ending) {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> entries =
                Files.newDirectoryStream(prefix.resolve("etc").resolve("conda").resolve(place))) {
            for (Path entry : entries) {
                if (entry.toString().endsWith(ending) && Files.isRegularFile(entry)) {
                    files.add(entry);
                }
            }
        } catch (IOException | DirectoryIteratorException notThere) {
            return List.of();
        }
        Collections.sort(files);
        return files;
    }

    private static MusterException refusal(Path file, String problem) {
        return MusterException.configuration("the conda environment cannot be activated: "
                + Printable.escape(file.toString()) + " " + problem + ". Correct the file");
    }
}
