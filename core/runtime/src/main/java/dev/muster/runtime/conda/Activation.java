package dev.muster.runtime.conda;

import dev.muster.runtime.commands.VariableChanges;
import dev.muster.runtime.commands.VariableScript;
import dev.muster.runtime.commands.VariableShell;
import dev.muster.runtime.config.Environment;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Printable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Activates a conda environment for the processes of a job, as {@code conda run} would. */
public final class Activation {

    /** Activation takes a tenth of a second; what takes that long waits for something. */
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private static final String LEVEL = "CONDA_SHLVL";
    private static final String PREFIX = "CONDA_PREFIX";

    private final Environment environment;
    private final VariableShell shell;

    /** @param environment what it starts from */
    public Activation(Environment environment, VariableShell shell) {
        this.environment = environment;
        this.shell = shell;
    }

    /**
     * What it changes.
     *
     * @return empty when the launcher was told to stop
     * @throws MusterException when a script of the environment's fails or hangs
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

    /**
     * What activation does, in the order in which {@code conda activate} does it. What conda keeps for a later deactivation is not
     * kept, since nobody will deactivate it.
     */
    private VariableScript script(CondaEnvironment wanted) {
        EnvironmentFiles files = new EnvironmentFiles(wanted.prefix());
        VariableScript script = new VariableScript();
        Optional<Path> active = active();
        active.ifPresent(old -> leave(old, script));
        script.prepend("PATH", wanted.programs());
        boolean isActive = active.equals(Optional.of(wanted.prefix()));
        active.filter(old -> !isActive).ifPresent(old -> script.export(PREFIX + "_" + level(), old.toString()));
        script.export(PREFIX, wanted.prefix().toString())
                .export(LEVEL, Integer.toString(isActive ? level() : active.isPresent() ? level() + 1 : 1))
                .export("CONDA_DEFAULT_ENV", wanted.name())
                .export("CONDA_PROMPT_MODIFIER", "(" + wanted.name() + ") ");
        files.variables()
                .forEach((name, value) ->
                        value.ifPresentOrElse(text -> script.export(name, text), () -> script.unset(name)));
        files.activation().forEach(script::source);
        // What ModelArts tells its users to set where a library is missing.
        Optional<Path> image = new CondaPlaces(environment).variable(CondaPlaces.IMAGE_ROOT);
        if (image.filter(wanted::isBelow).isPresent() && Files.isDirectory(wanted.libraries())) {
            script.prepend("LD_LIBRARY_PATH", wanted.libraries());
        }
        return script;
    }

    private static void leave(Path active, VariableScript script) {
        new EnvironmentFiles(active).deactivation().forEach(script::source);
        script.drop("PATH", active.resolve("bin"));
    }

    /** The prefix of the environment that is active. */
    private Optional<Path> active() {
        return level() == 0 ? Optional.empty() : new CondaPlaces(environment).variable(PREFIX);
    }

    /** How many environments are active. */
    private int level() {
        String level = environment.value(LEVEL).orElse("0").strip();
        return level.matches("[0-9]{1,4}") ? Integer.parseInt(level) : 0;
    }
}
