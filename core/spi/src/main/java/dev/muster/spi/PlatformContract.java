package dev.muster.spi;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;

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
        return new Draft(name).contract();
    }

    /** Whether one of these patterns means a variable: {@code NAME}, {@code PREFIX*} or {@code *SUFFIX}. */
    public static boolean matches(Collection<String> patterns, String name) {
        // There may be thousands of names: a stream for each takes longer than the looks.
        for (String pattern : patterns) {
            if (matches(pattern, name)) {
                return true;
            }
        }
        return false;
    }

    private static boolean matches(String pattern, String name) {
        if (pattern.endsWith("*")) {
            return name.startsWith(pattern.substring(0, pattern.length() - 1));
        }
        return pattern.startsWith("*") ? name.endsWith(pattern.substring(1)) : name.equals(pattern);
    }

    /** The same contract with a port for the rendezvous. */
    public PlatformContract withRendezvousPort(int port) {
        return changed(draft -> draft.rendezvousPort = Optional.of(port));
    }

    /** The same contract with the place of the rank table. */
    public PlatformContract withRankTable(String path) {
        return changed(draft -> draft.rankTable = Optional.of(path));
    }

    /** The same contract with variables of frameworks that hold. */
    public PlatformContract withVariables(String... names) {
        return changed(draft -> draft.variables = new TreeSet<>(List.of(names)));
    }

    /** The same contract with variables of one node only. */
    public PlatformContract withLocalVariables(List<String> patterns) {
        return changed(draft -> draft.localVariables = patterns);
    }

    /** The same contract with what manages the nodes, as MPI libraries call it. */
    public PlatformContract withResourceManager(String manager) {
        return changed(draft -> draft.resourceManager = Optional.of(manager));
    }

    /** The same contract with the variables of the index. */
    public PlatformContract withIndexVariables(List<String> names) {
        return changed(draft -> draft.indexVariables = names);
    }

    /** The same contract with the variable of the name. */
    public PlatformContract withNameVariable(String variable) {
        return changed(draft -> draft.nameVariable = Optional.of(variable));
    }

    /** The same contract with the variable of the address. */
    public PlatformContract withAddressVariable(String variable) {
        return changed(draft -> draft.addressVariable = Optional.of(variable));
    }

    private PlatformContract changed(Consumer<Draft> change) {
        Draft draft = new Draft(name);
        draft.rendezvousPort = rendezvousPort;
        draft.rankTable = rankTable;
        draft.variables = variables;
        draft.localVariables = localVariables;
        draft.resourceManager = resourceManager;
        draft.indexVariables = indexVariables;
        draft.nameVariable = nameVariable;
        draft.addressVariable = addressVariable;
        change.accept(draft);
        return draft.contract();
    }

    /** A contract that is being written. */
    private static final class Draft {

        private final String name;
        private Optional<Integer> rendezvousPort = Optional.empty();
        private Optional<String> rankTable = Optional.empty();
        private SortedSet<String> variables = new TreeSet<>();
        private List<String> localVariables = List.of();
        private Optional<String> resourceManager = Optional.empty();
        private List<String> indexVariables = List.of();
        private Optional<String> nameVariable = Optional.empty();
        private Optional<String> addressVariable = Optional.empty();

        Draft(String name) {
            this.name = name;
        }

        PlatformContract contract() {
            return new PlatformContract(
                    name,
                    rendezvousPort,
                    rankTable,
                    variables,
                    localVariables,
                    resourceManager,
                    indexVariables,
                    nameVariable,
                    addressVariable);
        }
    }
}
