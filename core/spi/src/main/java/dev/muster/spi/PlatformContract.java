package dev.muster.spi;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What a platform promises to its jobs, in words that no engine needs to know the platform for.
 *
 * @param name for messages, for example {@code modelarts}; {@code none} when there is no platform
 * @param rendezvousPort the TCP port on which the platform lets the first node of a job meet the others, if it has one
 * @param rankTable where the platform writes the rank table of the job into its containers, if it does
 * @param variables of frameworks, by which the platform tells the processes of a job where they stand: they hold, as {@code
 *     TF_CONFIG} does in a TFJob. Elsewhere such a variable is a leftover of somebody else
 * @param localVariables of the platform, which speak of one node only: {@code NAME}, {@code PREFIX*} or {@code *SUFFIX}
 * @param resourceManager the name by which MPI libraries know what manages the nodes here: they would ask it for hosts and start
 *     their daemons with it. Empty: nothing that they know
 * @param indexVariables the variables that tell a node its index, for messages about a missing one; empty: none does
 * @param nameVariable the variable that tells a node its name, if one does
 * @param addressVariable the variable that tells a node the address of its host, if one does
 * @since 0.1
 */
@Stability(stable = true)
public record PlatformContract(
        String name,
        Optional<Integer> rendezvousPort,
        Optional<String> rankTable,
        SortedSet<String> variables,
        List<String> localVariables,
        Optional<String> resourceManager,
        List<String> indexVariables,
        Optional<String> nameVariable,
        Optional<String> addressVariable) {

    /** No platform: a bare server. */
    public static final PlatformContract NONE = named("none");

    public PlatformContract {
        variables = Collections.unmodifiableSortedSet(new TreeSet<>(variables));
        localVariables = List.copyOf(localVariables);
        indexVariables = List.copyOf(indexVariables);
    }

    /** The contract of a platform that promises nothing yet. */
    public static PlatformContract named(String name) {
        return new PlatformContract(
                name,
                Optional.empty(),
                Optional.empty(),
                new TreeSet<>(),
                List.of(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Optional.empty());
    }

    /** The same contract with a port for the rendezvous. */
    public PlatformContract withRendezvousPort(int port) {
        return new PlatformContract(
                name,
                Optional.of(port),
                rankTable,
                variables,
                localVariables,
                resourceManager,
                indexVariables,
                nameVariable,
                addressVariable);
    }

    /** The same contract with the place of the rank table. */
    public PlatformContract withRankTable(String path) {
        return new PlatformContract(
                name,
                rendezvousPort,
                Optional.of(path),
                variables,
                localVariables,
                resourceManager,
                indexVariables,
                nameVariable,
                addressVariable);
    }

    /** The same contract with variables of frameworks that hold. */
    public PlatformContract withVariables(String... names) {
        return new PlatformContract(
                name,
                rendezvousPort,
                rankTable,
                new TreeSet<>(List.of(names)),
                localVariables,
                resourceManager,
                indexVariables,
                nameVariable,
                addressVariable);
    }

    /** The same contract with variables of one node only. */
    public PlatformContract withLocalVariables(List<String> patterns) {
        return new PlatformContract(
                name,
                rendezvousPort,
                rankTable,
                variables,
                patterns,
                resourceManager,
                indexVariables,
                nameVariable,
                addressVariable);
    }

    /** The same contract with what manages the nodes, as MPI libraries call it. */
    public PlatformContract withResourceManager(String manager) {
        return new PlatformContract(
                name,
                rendezvousPort,
                rankTable,
                variables,
                localVariables,
                Optional.of(manager),
                indexVariables,
                nameVariable,
                addressVariable);
    }

    /** The same contract with the variables of the index. */
    public PlatformContract withIndexVariables(List<String> names) {
        return new PlatformContract(
                name,
                rendezvousPort,
                rankTable,
                variables,
                localVariables,
                resourceManager,
                names,
                nameVariable,
                addressVariable);
    }

    /** The same contract with the variable of the name. */
    public PlatformContract withNameVariable(String variable) {
        return new PlatformContract(
                name,
                rendezvousPort,
                rankTable,
                variables,
                localVariables,
                resourceManager,
                indexVariables,
                Optional.of(variable),
                addressVariable);
    }

    /** The same contract with the variable of the address. */
    public PlatformContract withAddressVariable(String variable) {
        return new PlatformContract(
                name,
                rendezvousPort,
                rankTable,
                variables,
                localVariables,
                resourceManager,
                indexVariables,
                nameVariable,
                Optional.of(variable));
    }
}
