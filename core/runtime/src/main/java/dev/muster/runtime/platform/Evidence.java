package dev.muster.runtime.platform;

import dev.muster.runtime.config.Command;
import dev.muster.runtime.config.Environment;
import dev.muster.runtime.config.Hosts;
import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.config.WholeNumber;
import dev.muster.runtime.config.World;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.process.RunMarker;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.InputValue;
import dev.muster.spi.NodeInfo;
import dev.muster.spi.OptionValue;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;

/**
 * All that a platform may look at to tell where we are. What it says follows from this alone, so that an environment that was
 * recorded somewhere shows here what would happen there.
 *
 * @param files of this machine
 * @param engine the chosen engine; empty where nobody chose one
 * @param command what the user asks for: to look at a plan is allowed where a start would be a mistake
 * @param settings what the user says; empty: nobody can have said anything
 * @param commands asked for what no variable tells
 */
public record Evidence(
        World world,
        NodeInfo machine,
        MachineFiles files,
        Optional<EngineDescriptor> engine,
        Command command,
        Optional<Settings> settings,
        Commands commands) {

    /** By these a launcher knows that it is a rank of somebody else, who gave it the variables that he gives his ranks. */
    private static final List<String> OF_A_RANK =
            List.of(RunMarker.VARIABLE, "TORCHELASTIC_RUN_ID", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK");

    private static final InputValue.CommandOutput NO_ANSWER = new InputValue.CommandOutput(1, "");

    /** What can be looked at before the user's settings are known. */
    public Evidence(
            World world, NodeInfo machine, MachineFiles files, Optional<EngineDescriptor> engine, Command command) {
        this(world, machine, files, engine, command, Optional.empty(), question -> NO_ANSWER);
    }

    Evidence with(Settings said, Commands asked) {
        return new Evidence(world, machine, files, engine, command, Optional.of(said), asked);
    }

    Environment environment() {
        return world.environment();
    }

    /** A variable that is set and not empty. */
    Optional<String> value(String name) {
        return world.environment().value(name);
    }

    /** The same with its origin. */
    Optional<OptionValue> told(String name) {
        return value(name).map(value -> new OptionValue(value, name));
    }

    /**
     * A value that becomes part of paths or host names.
     *
     * @param meaning what it should be, for example {@code a job name}
     */
    Optional<OptionValue> safeName(String name, String meaning) {
        return told(name).map(told -> new OptionValue(Variables.safeName(name, told.value(), meaning), name));
    }

    /** A host name or an address without a port. */
    Optional<OptionValue> host(String name) {
        return told(name).map(told -> new OptionValue(Variables.host(name, told.value()), name));
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
     * The whole number in a variable; empty where that is not set.
     *
     * @throws MusterException when it is none from {@code least} to {@code most}
     */
    Optional<Integer> integer(String variable, int least, int most) {
        return isSet(variable) ? Optional.of(wholeNumber(variable, least, most)) : Optional.empty();
    }

    /** The same with its origin. */
    Optional<OptionValue> number(String variable, int least, int most) {
        return integer(variable, least, most).map(number -> Variables.told(number, variable));
    }

    /** The index of this node in a variable. */
    Optional<OptionValue> index(String variable) {
        return number(variable, 0, OptionTable.MOST_NODES - 1);
    }

    /** The whole number in a variable that has to be set. */
    int wholeNumber(String variable, int least, int most) {
        String value = value(variable).orElse("");
        return WholeNumber.parse(value, least, most)
                .orElseThrow(() -> MusterException.configuration(
                        variable + "=" + Printable.quote(value) + " is not a whole number " + least + ".." + most));
    }

    /** What the user says of an option. */
    Optional<Setting> said(Option option) {
        return settings.flatMap(all -> all.given(option));
    }

    /** What the user says of an option of the engine. */
    Optional<Setting> givenToEngine(String option) {
        return settings.stream()
                .flatMap(all -> all.optionsOfEngine().stream())
                .filter(one -> one.name().equals(option))
                .findFirst()
                .flatMap(this::said);
    }

    /** How many nodes the user says that there are. */
    OptionalInt saidNodes() {
        return said(OptionTable.HOSTS)
                .map(hosts -> OptionalInt.of(Hosts.parse(hosts.value()).size()))
                .orElseGet(
                        () -> settings.map(all -> all.number(OptionTable.NODES)).orElse(OptionalInt.empty()));
    }

    private boolean engineHas(Predicate<EngineDescriptor> what) {
        return engine.filter(what).isPresent();
    }

    /** Whether the engine gives processes of this role containers of their own. */
    boolean engineKnowsRole(String role) {
        return engineHas(chosen -> chosen.roles().contains(role));
    }

    /** Whether the engine has an option of this name. */
    boolean engineHasOption(String name) {
        return engineHas(chosen -> chosen.options().stream().anyMatch(option -> name.equals(option.name())));
    }

    /** Whether the engine takes the nodes from a rank table, never in the order of containers. */
    boolean engineReadsTable() {
        return engineHasOption("rank-table");
    }

    /** Whether an option of the engine may have this value. */
    boolean engineHasChoice(String name, String choice) {
        return engineHas(chosen -> chosen.options().stream()
                .anyMatch(
                        option -> name.equals(option.name()) && option.choices().contains(choice)));
    }

    /** Whether the engine's processes log in to the nodes of the job. */
    boolean engineLogsIn() {
        return engineHas(EngineDescriptor::logsIn);
    }

    /** For messages. */
    String engineName() {
        return "engine " + engine.map(EngineDescriptor::id).orElse("");
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
