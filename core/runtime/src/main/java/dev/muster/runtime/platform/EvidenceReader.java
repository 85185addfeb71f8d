package dev.muster.runtime.platform;

import dev.muster.runtime.config.Hosts;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.SafeName;
import dev.muster.runtime.config.WholeNumber;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.process.RunMarker;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.Evidence;
import dev.muster.spi.Host;
import dev.muster.spi.OptionValue;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;

/** Reads numbers, names and hosts for the built-in platforms. It refuses values of a wrong form. */
record EvidenceReader(Evidence source) {

    /** If one of these is set, the launcher runs inside a rank, and other variables may describe that rank. */
    private static final List<String> OF_A_RANK =
            List.of(RunMarker.VARIABLE, "TORCHELASTIC_RUN_ID", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK");

    /** A variable that is set and not empty. */
    Optional<String> value(String name) {
        return Optional.ofNullable(source.environment().get(name)).filter(value -> !value.isEmpty());
    }

    /** The same with its origin. */
    Optional<OptionValue> sourced(String name) {
        return value(name).map(value -> new OptionValue(value, name));
    }

    /**
     * A value that becomes part of paths or host names.
     *
     * @param meaning what it should be, for example {@code a job name}
     */
    Optional<OptionValue> safeName(String name, String meaning) {
        return sourced(name).map(told -> new OptionValue(safeName(name, told.value(), meaning), name));
    }

    /** A host name or an address without a port. */
    Optional<OptionValue> host(String name) {
        Optional<OptionValue> told = sourced(name);
        told.filter(host -> !Hosts.isHost(host.value())).ifPresent(host -> {
            throw MusterException.configuration(name + ": " + Printable.quote(host.value())
                    + " is neither a host name nor an IP address, which has no port here");
        });
        return told;
    }

    boolean isSet(String name) {
        return value(name).isPresent();
    }

    /** The first of these variables that is set and not empty. */
    Optional<String> firstSet(List<String> names) {
        return names.stream().filter(this::isSet).findFirst();
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
        return integer(variable, least, most).map(number -> sourced(number, variable));
    }

    /** The index of this node in a variable. */
    Optional<OptionValue> index(String variable) {
        return number(variable, 0, OptionTable.MOST_NODES - 1);
    }

    /** The whole number in a variable that has to be set. */
    int wholeNumber(String variable, int least, int most) {
        String value = value(variable)
                .orElseThrow(() -> MusterException.configuration(
                        variable + (source.environment().containsKey(variable) ? " is empty" : " is not set")));
        return WholeNumber.parse(value, least, most)
                .orElseThrow(() -> MusterException.configuration(
                        variable + "=" + Printable.quote(value) + " is not a whole number " + least + ".." + most));
    }

    /** What the user says of an option. */
    Optional<OptionValue> option(String option) {
        return source.option(option);
    }

    /** The number of nodes, if the user gives it. */
    OptionalInt userNodes() {
        Optional<Integer> hosts = option(OptionTable.HOSTS.name())
                .map(list -> Hosts.parse(list.value()).size());
        return hosts.or(() -> option(OptionTable.NODES.name()).map(count -> Integer.parseInt(count.value())))
                .map(OptionalInt::of)
                .orElse(OptionalInt.empty());
    }

    private boolean engineHas(Predicate<EngineDescriptor> what) {
        return source.engine().filter(what).isPresent();
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

    /** The value for platforms that start scripts once on each node, if the engine has it. */
    Optional<OptionValue> oncePerNode(String origin) {
        return engineHasChoice("processes", "per-node")
                ? Optional.of(new OptionValue("per-node", origin))
                : Optional.empty();
    }

    /** Whether the engine's processes log in to the nodes of the job. */
    boolean engineLogsIn() {
        return engineHas(EngineDescriptor::logsIn);
    }

    String hostName() {
        return source.machine().hostName();
    }

    /** The first part of this host's name. */
    String ownLabel() {
        return NumberedName.label(hostName());
    }

    /** The index of this host in a list; -1: it is not there. */
    int position(List<Host> hosts) {
        return hosts.stream()
                .map(host -> NumberedName.label(host.name()))
                .toList()
                .indexOf(ownLabel());
    }

    /** For messages. */
    String engineName() {
        return "engine " + source.engine().map(EngineDescriptor::id).orElse("");
    }

    /** Whether the launcher was started by a rank of Muster's. */
    boolean isOfMuster() {
        return isSet(RunMarker.VARIABLE);
    }

    /** Whether this launcher runs inside a rank, so that variables may describe that rank. */
    boolean isOfARank() {
        return firstSet(OF_A_RANK).isPresent();
    }

    /**
     * A value that becomes part of paths or host names.
     *
     * @param meaning what it should be, for example {@code a job name}
     */
    static String safeName(String variable, String value, String meaning) {
        if (!SafeName.matches(value)) {
            throw MusterException.configuration(
                    variable + ": " + Printable.quote(value) + " is not " + meaning + " (" + SafeName.FORM + ")");
        }
        return value;
    }

    static OptionValue sourced(int number, String origin) {
        return new OptionValue(Integer.toString(number), origin);
    }

    /** Hosts that are known by a name or an address alone. */
    static List<Host> hosts(Collection<String> names) {
        return names.stream().map(name -> Host.of(name, Optional.empty())).toList();
    }
}
