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
    public static final PlatformContract NONE = named("none").build();

    public PlatformContract {
        variables = Collections.unmodifiableSortedSet(new TreeSet<>(variables));
        localVariables = List.copyOf(localVariables);
        indexVariables = List.copyOf(indexVariables);
    }

    /** The contract of a platform that promises nothing yet. */
    public static Builder named(String name) {
        return new Builder(name);
    }

    /** Puts a contract together. */
    public static final class Builder {

        private final String name;
        private Optional<String> rankTable = Optional.empty();
        private Optional<Integer> rendezvousPort = Optional.empty();
        private SortedSet<String> variables = new TreeSet<>();
        private List<String> localVariables = List.of();
        private Optional<String> resourceManager = Optional.empty();
        private List<String> indexVariables = List.of();
        private Optional<String> nameVariable = Optional.empty();
        private Optional<String> addressVariable = Optional.empty();

        private Builder(String name) {
            this.name = name;
        }

        public Builder rendezvousPort(int port) {
            rendezvousPort = Optional.of(port);
            return this;
        }

        /** Where the platform writes the rank table of the job. */
        public Builder rankTable(String path) {
            rankTable = Optional.of(path);
            return this;
        }

        public Builder variables(String... names) {
            variables = new TreeSet<>(List.of(names));
            return this;
        }

        public Builder localVariables(List<String> patterns) {
            localVariables = patterns;
            return this;
        }

        public Builder resourceManager(String managerName) {
            resourceManager = Optional.of(managerName);
            return this;
        }

        public Builder indexVariables(List<String> names) {
            indexVariables = names;
            return this;
        }

        public Builder nameVariable(String variable) {
            nameVariable = Optional.of(variable);
            return this;
        }

        public Builder addressVariable(String variable) {
            addressVariable = Optional.of(variable);
            return this;
        }

        public PlatformContract build() {
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
