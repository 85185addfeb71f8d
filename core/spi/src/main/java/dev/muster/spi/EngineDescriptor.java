package dev.muster.spi;

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
 * @param ownedVariables the environment variables that the engine sets for its processes, whatever they were before
 * @since 0.1
 */
public record EngineDescriptor(
        String id,
        String summary,
        List<EngineOption> options,
        List<EngineOption> simulationOptions,
        SortedSet<String> ownedVariables) {

    private static final Pattern ID = Pattern.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*");

    public EngineDescriptor {
        if (!ID.matcher(id).matches()) {
            throw new IllegalArgumentException("engine id \"" + id + "\" does not match " + ID);
        }
        options = List.copyOf(options);
        simulationOptions = List.copyOf(simulationOptions);
        ownedVariables = java.util.Collections.unmodifiableSortedSet(new TreeSet<>(ownedVariables));
    }
}
