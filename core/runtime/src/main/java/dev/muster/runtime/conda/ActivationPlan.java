package dev.muster.runtime.conda;

import dev.muster.runtime.commands.VariableScript;
import dev.muster.runtime.config.Environment;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * What activation does, in the order in which {@code conda activate} does it. What conda keeps for a later deactivation is not
 * kept, since nobody will deactivate it.
 *
 * @param environment what is activated
 * @param active the environment that is active now, if one is
 * @param level how many are active then
 * @param deactivation scripts of the active one
 * @param variables that are set, or unset where empty
 * @param activation scripts of the new one
 * @param withLibraries whether its libraries are found by programs that do not name their place
 */
record ActivationPlan(
        CondaEnvironment environment,
        Optional<Path> active,
        int level,
        List<Path> deactivation,
        SortedMap<String, Optional<String>> variables,
        List<Path> activation,
        boolean withLibraries) {

    private static final String LEVEL = "CONDA_SHLVL";
    private static final String PREFIX = "CONDA_PREFIX";

    /** The prefix of the environment that is active. */
    static Optional<Path> active(Environment environment) {
        try {
            return level(environment) == 0
                    ? Optional.empty()
                    : environment.value(PREFIX).map(Path::of).filter(Path::isAbsolute);
        } catch (InvalidPathException noPath) {
            return Optional.empty();
        }
    }

    /** How many environments are active. */
    static int level(Environment environment) {
        String level = environment.value(LEVEL).orElse("0").strip();
        return level.matches("[0-9]{1,4}") ? Integer.parseInt(level) : 0;
    }

    VariableScript script() {
        VariableScript script = new VariableScript();
        deactivation.forEach(script::source);
        active.ifPresent(old -> script.drop("PATH", old.resolve("bin")));
        script.prepend("PATH", environment.programs());
        active.filter(old -> !old.equals(environment.prefix()))
                .ifPresent(old -> script.export(PREFIX + "_" + (level - 1), old.toString()));
        script.export(PREFIX, environment.prefix().toString())
                .export(LEVEL, Integer.toString(level))
                .export("CONDA_DEFAULT_ENV", environment.name())
                .export("CONDA_PROMPT_MODIFIER", "(" + environment.name() + ") ");
        variables.forEach(
                (name, value) -> value.ifPresentOrElse(text -> script.export(name, text), () -> script.unset(name)));
        activation.forEach(script::source);
        if (withLibraries) {
            script.prepend("LD_LIBRARY_PATH", environment.libraries());
        }
        return script;
    }
}
