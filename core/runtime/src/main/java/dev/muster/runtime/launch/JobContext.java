package dev.muster.runtime.launch;

import dev.muster.runtime.commands.VariableChanges;
import dev.muster.runtime.commands.VariableShell;
import dev.muster.runtime.conda.Activation;
import dev.muster.runtime.conda.CondaEnvironment;
import dev.muster.runtime.conda.CondaFinder;
import dev.muster.runtime.config.Environment;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.plan.ActivatedEnvironment;
import dev.muster.runtime.text.Printable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The context of a job, with the job's conda environment active.
 *
 * @param activated that environment; empty: the job runs in the caller's environment
 */
record JobContext(LaunchContext context, Optional<ActivatedEnvironment> activated) {

    /**
     * Activates the conda environment that the settings or the image name, once for all processes of this node.
     *
     * @param command of the job
     * @return empty when the launcher was told to stop meanwhile
     * @throws dev.muster.runtime.errors.MusterException when there is no such environment, or it cannot be activated
     */
    static Optional<JobContext> of(LaunchContext caller, Settings settings, List<String> command) {
        Optional<CondaEnvironment> wanted = new CondaFinder(caller.processInfo())
                .find(settings.given(OptionTable.CONDA_ENV), command.get(0), caller.console()::warn);
        Optional<JobContext> made = wanted.isEmpty()
                ? Optional.of(new JobContext(caller, Optional.empty()))
                : activate(caller, wanted.get());
        return made.map(JobContext::unbuffered);
    }

    /** An empty variable leaves the buffering to Python. */
    private JobContext unbuffered() {
        boolean isSet = context.processInfo().environment().variables().containsKey(ProcessEnvironments.UNBUFFERED);
        return with(isSet ? Map.of() : Map.of(ProcessEnvironments.UNBUFFERED, "1"));
    }

    /** The variables that the activation set on this node. */
    SortedSet<String> activatedVariables() {
        return activated
                .map(environment -> new TreeSet<>(environment.set().keySet()))
                .orElseGet(TreeSet::new);
    }

    /** This context, with more variables for the job's processes. */
    JobContext with(Map<String, String> variables) {
        return variables.isEmpty()
                ? this
                : new JobContext(
                        context.with(context.processInfo().environment().changed(variables, Set.of())), activated);
    }

    /** A line for the user about the conda environment. */
    Optional<String> line() {
        return activated.map(environment -> "conda environment " + Printable.escape(environment.name()) + " at "
                + Printable.escape(environment.prefix()) + " (" + environment.origin() + ")");
    }

    private static Optional<JobContext> activate(LaunchContext caller, CondaEnvironment wanted) {
        Environment before = caller.processInfo().environment();
        VariableShell shell = caller.shells().apply(line -> caller.console().say("conda: " + line));
        Optional<VariableChanges> changes = new Activation(before, shell).run(wanted);
        return changes.map(changed -> new JobContext(
                caller.with(before.changed(changed.set(), changed.removed())),
                Optional.of(new ActivatedEnvironment(
                        wanted.name(),
                        wanted.prefix().toString(),
                        wanted.origin(),
                        changed.set(),
                        changed.removed()))));
    }
}
