package dev.muster.runtime.conda;

import dev.muster.runtime.commands.VariableChanges;
import dev.muster.runtime.commands.VariableScript;
import dev.muster.runtime.commands.VariableShell;
import dev.muster.runtime.config.Environment;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.ReadableFiles;
import dev.muster.runtime.json.Json;
import dev.muster.runtime.text.Printable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Activates a conda environment for the processes of a job by one script. It is never deactivated.
 *
 * @param environment the environment before the activation
 */
public record Activation(Environment environment, VariableShell shell) {

    /** Activation takes a tenth of a second. A script that takes this long waits for something. */
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    /** What {@code conda env config vars} writes for a variable that is to be unset. */
    private static final String UNSET = "***unset***";

    /**
     * The variables that the activation changes.
     *
     * @return empty when the launcher was told to stop
     * @throws MusterException when a script of the environment fails or hangs
     */
    public Optional<VariableChanges> run(CondaEnvironment wanted) {
        try {
            return shell.run(script(wanted), DEADLINE);
        } catch (VariableShell.ScriptException failed) {
            throw MusterException.configuration(
                    "the conda environment " + Printable.quote(wanted.name()) + " (" + wanted.origin()
                            + ") cannot be activated: " + failed.getMessage()
                            + ". Correct the script, or activate the environment before Muster starts");
        }
    }

    /** In the order in which {@code conda activate} does it. */
    private VariableScript script(CondaEnvironment wanted) {
        Path prefix = wanted.prefix();
        VariableScript script = new VariableScript()
                .prepend("PATH", wanted.programs())
                .export("CONDA_PREFIX", prefix.toString())
                .export("CONDA_SHLVL", "1")
                .export("CONDA_DEFAULT_ENV", wanted.name())
                .export("CONDA_PROMPT_MODIFIER", "(" + wanted.name() + ") ");
        addVariables(prefix.resolve("conda-meta").resolve("state"), script);
        scripts(prefix).forEach(script::source);
        // ModelArts tells its users to set this if a library is missing.
        Path libraries = prefix.resolve("lib");
        Optional<String> image = environment.value(CondaEnvironment.IMAGE_ROOT);
        if (image.filter(root -> prefix.startsWith(root)).isPresent() && Files.isDirectory(libraries)) {
            script.prepend("LD_LIBRARY_PATH", libraries);
        }
        return script;
    }

    /** Adds the variables that the user has set with {@code conda env config vars}. */
    private static void addVariables(Path state, VariableScript script) {
        if (!Files.exists(state)) {
            return;
        }
        Object variables = read(state).getOrDefault("env_vars", Map.of());
        if (!(variables instanceof Map<?, ?> map)) {
            throw refusal(state, "has an env_vars that is no object");
        }
        map.forEach((key, value) -> {
            String name = String.valueOf(key);
            String text = String.valueOf(value);
            if (!NAME.matcher(name).matches() || value instanceof Map || text.indexOf('\0') >= 0) {
                throw refusal(state, "sets the variable " + Printable.quote(name) + " to what no variable can be");
            }
            if (text.equals(UNSET)) {
                script.unset(name);
            } else {
                script.export(name, text);
            }
        });
    }

    private static Map<String, Object> read(Path file) {
        try {
            return Json.read(Files.readAllBytes(file)).orElseThrow(reason -> refusal(file, reason));
        } catch (IOException unreadable) {
            throw refusal(file, "cannot be read");
        }
    }

    private static List<Path> scripts(Path prefix) {
        return ReadableFiles.entries(prefix.resolve("etc/conda/activate.d"), "*.sh").stream()
                .filter(Files::isRegularFile)
                .sorted()
                .toList();
    }

    private static MusterException refusal(Path file, String problem) {
        return MusterException.configuration("the conda environment cannot be activated: "
                + Printable.escape(file.toString()) + " " + problem + ". Correct the file");
    }
}
