package dev.muster.spi;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * What a platform promises to its jobs. An engine reads this contract and need not know the platform.
 *
 * @param name for messages, for example {@code modelarts}; {@code none} when there is no platform
 * @param rendezvousPort the TCP port of the first node that the platform chooses for the rendezvous, if it chooses one
 * @param rankTable the path of the rank table in the job's containers, if the platform writes one
 * @param variables variables of frameworks that this platform sets for the processes of a job, so that engines trust them: {@code
 *     TF_CONFIG} in a TFJob. On any other platform such a variable is left over from something else
 * @param localVariables variables of the platform about one node only: {@code NAME}, {@code PREFIX*} or {@code *SUFFIX}
 * @param resourceManager the name of the resource manager here, as MPI libraries call it: they would ask it for hosts and start
 *     their daemons with it. Empty: none that they know
 * @param indexVariables the variables that tell a node its index, for messages about a missing one; empty: there is none
 * @param nameVariable the variable that tells a node its name, if there is one
 * @param addressVariable the variable that tells a node the address of its host, if there is one
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

    /** Whether one of these patterns matches a variable: {@code NAME}, {@code PREFIX*} or {@code *SUFFIX}. */
    public static boolean matches(Collection<String> patterns, String name) {
        // There may be thousands of names: a stream for each takes longer than the comparisons.
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

    /** The same contract with the path of the rank table. */
    public PlatformContract withRankTable(String path) {
        return changed(draft -> draft.rankTable = Optional.of(path));
    }

    /** The same contract with these variables of frameworks. */
    public PlatformContract withVariables(String... names) {
        return changed(draft -> draft.variables = new TreeSet<>(List.of(names)));
    }

    /** The same contract with variables of one node only. */
    public PlatformContract withLocalVariables(List<String> patterns) {
        return changed(draft -> draft.localVariables = patterns);
    }

    /** The same contract with the name of the resource manager, as MPI libraries call it. */
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

    /** A mutable copy of a contract. */
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
