package dev.muster.spi;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The name card of an engine.
 *
 * @param id what users give to {@code --engine}: lower-case letters, digits and dashes
 * @param summary one line for the list of engines, without a full stop
 * @param options what users may give as {@code -o NAME=VALUE} or {@code --NAME VALUE}
 * @param simulationOptions what {@code muster simulate} accepts in addition for this engine
 * @param ownedVariables the environment variables that the engine sets or removes for its processes, whatever they were
 *     before; {@code PET_*} means all whose names begin with {@code PET_}
 * @param roles the roles that platforms give containers of their own; {@code simulate} does so where the option
 *     {@code shape} says so; empty: there are none
 * @param simulatedPorts how many free ports each simulated node or container gets
 * @param logsIn whether its processes log in to the nodes of the job: some platforms have names of their own for that
 * @since 0.1
 */
public record EngineDescriptor(
        String id,
        String summary,
        List<EngineOption> options,
        List<EngineOption> simulationOptions,
        SortedSet<String> ownedVariables,
        List<String> roles,
        int simulatedPorts,
        boolean logsIn) {

    private static final Pattern ID = Pattern.compile("[a-z][a-z0-9]*+(-[a-z0-9]++)*+");

    public EngineDescriptor {
        if (!ID.matcher(id).matches()) {
            throw new IllegalArgumentException("engine id \"" + id + "\" does not match " + ID);
        }
        options = List.copyOf(options);
        simulationOptions = List.copyOf(simulationOptions);
        roles = List.copyOf(roles);
        ownedVariables = Collections.unmodifiableSortedSet(new TreeSet<>(ownedVariables));
    }

    /** An engine without options or variables of its own, until the builder hears otherwise. */
    public static Builder builder(String id, String summary) {
        return new Builder(id, summary);
    }

    /** Whether a variable is one of {@link #ownedVariables}. */
    public boolean owns(String variable) {
        return ownedVariables.stream()
                .anyMatch(owned -> owned.endsWith("*")
                        ? variable.startsWith(owned.substring(0, owned.length() - 1))
                        : owned.equals(variable));
    }

    /** Puts a descriptor together; lists grow with each call. */
    public static final class Builder {

        private final String id;
        private final String summary;
        private final List<EngineOption> options = new ArrayList<>();
        private final List<EngineOption> simulationOptions = new ArrayList<>();
        private final SortedSet<String> ownedVariables = new TreeSet<>();
        private List<String> roles = List.of();
        private int simulatedPorts;
        private boolean logsIn;

        private Builder(String id, String summary) {
            this.id = id;
            this.summary = summary;
        }

        public Builder options(Collection<EngineOption> more) {
            options.addAll(more);
            return this;
        }

        public Builder options(EngineOption... more) {
            return options(List.of(more));
        }

        /** Options that {@code muster simulate} accepts in addition. */
        public Builder simulationOptions(EngineOption... more) {
            simulationOptions.addAll(List.of(more));
            return this;
        }

        /** Variables that the engine sets or removes, whatever they were before. */
        public Builder owns(Collection<String> variables) {
            ownedVariables.addAll(variables);
            return this;
        }

        public Builder owns(String... variables) {
            return owns(List.of(variables));
        }

        /** The roles that platforms give containers of their own. */
        public Builder roles(List<String> ofContainers) {
            roles = ofContainers;
            return this;
        }

        /** How many free ports each simulated node or container gets. */
        public Builder simulatedPorts(int each) {
            simulatedPorts = each;
            return this;
        }

        /** Its processes log in to the nodes of the job. */
        public Builder logsIn() {
            logsIn = true;
            return this;
        }

        public EngineDescriptor build() {
            return new EngineDescriptor(
                    id, summary, options, simulationOptions, ownedVariables, roles, simulatedPorts, logsIn);
        }
    }
}
