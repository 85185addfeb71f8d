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
import java.util.List;
import java.util.Optional;

/** Activates a conda environment for the processes of a job, as {@code conda run} would. */
public final class Activation {

    /** Activation takes a tenth of a second; what takes that long waits for something. */
    private static final Duration DEADLINE = Duration.ofSeconds(30);

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
        return shell.run(script(wanted), DEADLINE).fold(new VariableShell.Ending.Cases<>() {

            @Override
            public Optional<VariableChanges> done(VariableShell.Ending.Done done) {
                return Optional.of(done.changes());
            }

            @Override
            public Optional<VariableChanges> failed(VariableShell.Ending.Failed failed) {
                throw MusterException.configuration(message(wanted, failed));
            }

            @Override
            public Optional<VariableChanges> stopped(VariableShell.Ending.Stopped stopped) {
                return Optional.empty();
            }
        });
    }

    private VariableScript script(CondaEnvironment wanted) {
        EnvironmentFiles files = new EnvironmentFiles(wanted.prefix());
        Optional<Path> active = ActivationPlan.active(environment);
        int level = ActivationPlan.level(environment);
        boolean isActive = active.filter(wanted.prefix()::equals).isPresent();
        Optional<Path> image = new CondaPlaces(environment).variable(CondaPlaces.IMAGE_ROOT);
        return new ActivationPlan(
                        wanted,
                        active,
                        isActive ? level : active.isPresent() ? level + 1 : 1,
                        active.map(EnvironmentFiles::new)
                                .map(EnvironmentFiles::deactivation)
                                .orElseGet(List::of),
                        files.variables(),
                        files.activation(),
                        // What ModelArts tells its users to set where a library is missing.
                        image.filter(wanted::isBelow).isPresent() && Files.isDirectory(wanted.libraries()))
                .script();
    }

    private static String message(CondaEnvironment wanted, VariableShell.Ending.Failed failed) {
        return describe(wanted) + " cannot be activated: "
                + failed.at()
                        .map(Printable::escape)
                        .orElseGet(() -> "the shell for "
                                + Printable.escape(wanted.prefix().toString()))
                + " " + failed.how()
                + failed.lastWords()
                        .map(words -> "; it printed last: " + Printable.quote(words))
                        .orElse("; it printed nothing")
                + ". Correct the script, or activate the environment before Muster starts";
    }

    private static String describe(CondaEnvironment wanted) {
        return "the conda environment " + Printable.quote(wanted.name()) + " (" + wanted.origin() + ")";
    }
}
