package dev.muster.runtime.platform;

import dev.muster.runtime.config.Command;
import dev.muster.runtime.config.Environment;
import dev.muster.runtime.config.Hosts;
import dev.muster.runtime.config.Option;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.config.World;
import dev.muster.runtime.process.RunMarker;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.EngineOption;
import dev.muster.spi.InputValue;
import dev.muster.spi.NodeInfo;
import dev.muster.spi.OptionValue;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

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
     * @throws dev.muster.runtime.errors.MusterException when it is none from {@code least} to {@code most}
     */
    Optional<OptionValue> number(String variable, int least, int most) {
        return isSet(variable)
                ? Optional.of(new OptionValue(Variables.number(environment(), variable, least, most), variable))
                : Optional.empty();
    }

    /** The index of this node in a variable. */
    Optional<OptionValue> index(String variable) {
        return number(variable, 0, OptionTable.MOST_NODES - 1);
    }

    /**
     * The whole number in a variable that is set.
     *
     * @throws dev.muster.runtime.errors.MusterException when it is none from {@code least} to {@code most}
     */
    int wholeNumber(String variable, int least, int most) {
        return Integer.parseInt(Variables.number(environment(), variable, least, most));
    }

    /** What the user says of an option. */
    Optional<Setting> said(Option option) {
        return settings.flatMap(all -> all.given(option));
    }

    /** Whether the user gives an option of the engine any value. */
    boolean isGivenToEngine(String option) {
        return settings.stream()
                .flatMap(all -> all.optionsOfEngine().stream())
                .anyMatch(one -> one.name().equals(option) && said(one).isPresent());
    }

    /** Whether the user gives an option of the engine this value. */
    boolean isEngineToldTo(String option, String value) {
        return settings.map(all -> all.engineOptions().get(option))
                .filter(given -> given.value().equals(value))
                .isPresent();
    }

    /** How many nodes the user says that there are. */
    OptionalInt saidNodes() {
        return said(OptionTable.HOSTS)
                .map(hosts -> OptionalInt.of(Hosts.parse(hosts.value()).size()))
                .orElseGet(
                        () -> settings.map(all -> all.number(OptionTable.NODES)).orElse(OptionalInt.empty()));
    }

    /** Whether the user names this platform. */
    boolean isOnRequest(String platform) {
        return said(OptionTable.PLATFORM)
                .filter(named -> named.value().equals(platform))
                .isPresent();
    }

    /** Whether the engine gives processes of this role containers of their own. */
    boolean engineKnowsRole(String role) {
        return engine.isPresent() && engine.get().roles().contains(role);
    }

    /** Whether the engine has an option of this name. */
    boolean engineHasOption(String name) {
        return engine.isPresent()
                && engine.get().options().stream().map(EngineOption::name).anyMatch(name::equals);
    }

    /** Whether the engine takes the nodes from a rank table, never in the order of containers. */
    boolean engineReadsTable() {
        return engineHasOption("rank-table");
    }

    /** Whether an option of the engine may have this value. */
    boolean engineHasChoice(String name, String choice) {
        return engine.isPresent()
                && engine.get().options().stream()
                        .anyMatch(option ->
                                option.name().equals(name) && option.choices().contains(choice));
    }

    /** Whether the engine's processes log in to the nodes of the job. */
    boolean engineLogsIn() {
        return engine.isPresent() && engine.get().logsIn();
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
