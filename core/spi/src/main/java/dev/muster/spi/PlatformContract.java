package dev.muster.spi;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What a platform promises to its jobs, in words that no engine needs to know the platform for.
 *
 * @param name for messages, for example {@code modelarts}; {@code none} when there is no platform
 * @param rendezvousPort the TCP port on which the platform lets the first node of a job meet the others, if it has one
 * @param files the files that this platform writes into a job's containers
 * @param variables of frameworks, by which the platform tells the processes of a job where they stand: they hold, as {@code
 *     TF_CONFIG} does in a TFJob. Elsewhere such a variable is a leftover of somebody else
 * @param localVariables of the platform, which speak of one node only: {@code NAME}, {@code PREFIX*} or {@code *SUFFIX}
 * @param resourceManager the name by which MPI libraries know what manages the nodes here: they would ask it for hosts and start
 *     their daemons with it. Empty: nothing that they know
 * @param advice the variables to speak of when something about this node is missing
 * @since 0.1
 */
@Stable
public record PlatformContract(
        String name,
        Optional<Integer> rendezvousPort,
        Map<WellKnownFile, String> files,
        SortedSet<String> variables,
        List<String> localVariables,
        Optional<String> resourceManager,
        Advice advice) {

    /** The kinds of file that platforms write for jobs. */
    public enum WellKnownFile {
        /** The rank table of the job, as JSON. */
        RANK_TABLE
    }

    /**
     * By which variables a platform tells a node what it is. A message about what is missing names them.
     *
     * @param index which of the job's nodes it is; empty: by no variable
     * @param name what it is called, if any variable says so
     * @param address under which its host is known, if any variable says so
     */
    public record Advice(List<String> index, Optional<String> name, Optional<String> address) {

        /** A platform that tells nothing by variables. */
        public static final Advice NONE = new Advice(List.of(), Optional.empty(), Optional.empty());

        public Advice {
            index = List.copyOf(index);
        }
    }

    /** No platform: a bare server. */
    public static final PlatformContract NONE = named("none").build();

    public PlatformContract {
        files = Map.copyOf(files);
        variables = Sorted.set(variables);
        localVariables = List.copyOf(localVariables);
    }

    /** The contract of a platform that promises nothing yet. */
    public static Builder named(String name) {
        return new Builder(name);
    }

    /** Where the platform writes a file of this kind, if it does. */
    public Optional<String> file(WellKnownFile kind) {
        return Optional.ofNullable(files.get(kind));
    }

    /** Puts a contract together. */
    public static final class Builder {

        private final String name;
        private final Map<WellKnownFile, String> files = new EnumMap<>(WellKnownFile.class);
        private Optional<Integer> rendezvousPort = Optional.empty();
        private SortedSet<String> variables = new TreeSet<>();
        private List<String> localVariables = List.of();
        private Optional<String> resourceManager = Optional.empty();
        private Advice advice = Advice.NONE;

        private Builder(String name) {
            this.name = name;
        }

        public Builder rendezvousPort(int port) {
            rendezvousPort = Optional.of(port);
            return this;
        }

        public Builder file(WellKnownFile kind, String path) {
            files.put(kind, path);
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

        public Builder advice(Advice words) {
            advice = words;
            return this;
        }

        public PlatformContract build() {
            return new PlatformContract(
                    name, rendezvousPort, files, variables, localVariables, resourceManager, advice);
        }
    }
}
