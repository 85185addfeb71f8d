package dev.muster.runtime.platform;

import dev.muster.runtime.config.Command;
import dev.muster.runtime.config.Environment;
import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.World;
import dev.muster.runtime.process.RunMarker;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.EngineOption;
import dev.muster.spi.Machine;
import java.util.List;
import java.util.Optional;

/**
 * All that a platform may look at to tell where we are. What it says follows from this alone, so that an environment that was
 * recorded somewhere shows here what would happen there.
 *
 * @param files of this machine
 * @param engine the chosen engine; empty where nobody chose one
 * @param command what the user asks for: to look at a plan is allowed where a start would be a mistake
 */
public record Evidence(
        World world, Machine machine, MachineFiles files, Optional<EngineDescriptor> engine, Command command) {

    /** By these a launcher knows that it is a rank of somebody else, who gave it the variables that he gives his ranks. */
    private static final List<String> OF_A_RANK =
            List.of(RunMarker.VARIABLE, "TORCHELASTIC_RUN_ID", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK");

    Environment environment() {
        return world.environment();
    }

    /** A variable that is set and not empty. */
    Optional<String> value(String name) {
        return world.environment().value(name);
    }

    boolean isSet(String name) {
        return value(name).isPresent();
    }

    /** The first of these variables that is set and not empty. */
    Optional<String> firstSet(Iterable<String> names) {
        for (String name : names) {
            if (isSet(name)) {
                return Optional.of(name);
            }
        }
        return Optional.empty();
    }

    /**
     * The setting of an option whose value is the number in a variable, from 0; empty where that is not set.
     *
     * @throws dev.muster.runtime.errors.MusterException when it is no such number
     */
    Optional<Setting> number(Option option, String variable, int most) {
        return isSet(variable)
                ? Optional.of(Setting.ofPlatform(option, Variables.number(environment(), variable, 0, most), variable))
                : Optional.empty();
    }

    /**
     * The whole number in a variable that is set.
     *
     * @throws dev.muster.runtime.errors.MusterException when it is none from {@code least} to {@code most}
     */
    int wholeNumber(String variable, int least, int most) {
        return Integer.parseInt(Variables.number(environment(), variable, least, most));
    }

    /** Whether the engine gives processes of this role containers of their own. */
    boolean engineKnowsRole(String role) {
        return engine.isPresent() && engine.get().simulation().roles().contains(role);
    }

    /** Whether the engine has an option of this name. */
    boolean engineHasOption(String name) {
        return engine.isPresent()
                && engine.get().options().stream().map(EngineOption::name).anyMatch(name::equals);
    }

    /** Whether the engine's processes log in to the nodes of the job. */
    boolean engineLogsIn() {
        return engine.isPresent() && engine.get().logsIn();
    }

    /** Whether the launcher is a rank of another one, and may have variables from it that speak of the rank. */
    boolean isOfARank() {
        return firstSet(OF_A_RANK).isPresent();
    }

    /** Whether processes would be started here, and not only shown. */
    boolean startsProcesses() {
        return command == Command.LAUNCH;
    }
}
