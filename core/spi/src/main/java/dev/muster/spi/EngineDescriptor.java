package dev.muster.spi;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The identity of an engine, and what it declares before it plans.
 *
 * @param id what users give to {@code --engine}: lower-case letters, digits and dashes
 * @param summary one line for the list of engines, without a full stop
 * @param options what users may give as {@code -o NAME=VALUE} or {@code --NAME VALUE}
 * @param ownedVariables the environment variables that the engine sets or removes for its processes, with any earlier
 *     value; {@code PET_*} means all whose names begin with {@code PET_}
 * @param roles the roles that have separate containers on some platforms; {@code simulate} makes such containers if the option
 *     {@code shape} asks for them; empty: the engine has no roles
 * @param simulatedPorts how many free ports each simulated node or container gets
 * @param logsIn whether its processes log in to the nodes of the job: some platforms have special host names for logins
 * @param examples for the help: what follows {@code muster --engine ID}, such as {@code --cards 8 -- python3 train.py}
 * @since 0.1
 */
@Stability(stable = true)
public record EngineDescriptor(
        String id,
        String summary,
        List<EngineOption> options,
        SortedSet<String> ownedVariables,
        List<String> roles,
        int simulatedPorts,
        boolean logsIn,
        List<String> examples) {

    private static final Pattern ID = Pattern.compile("[a-z][a-z0-9]*+(-[a-z0-9]++)*+");

    public EngineDescriptor {
        if (!ID.matcher(id).matches()) {
            throw new IllegalArgumentException("engine id \"" + id + "\" does not match " + ID);
        }
        options = List.copyOf(options);
        roles = List.copyOf(roles);
        examples = List.copyOf(examples);
        ownedVariables = Collections.unmodifiableSortedSet(new TreeSet<>(ownedVariables));
    }

    /** An engine without options or variables of its own. */
    public static EngineDescriptor of(String id, String summary) {
        return new EngineDescriptor(id, summary, List.of(), new TreeSet<>(), List.of(), 0, false, List.of());
    }

    /** The same engine with these options. */
    public EngineDescriptor withOptions(Collection<EngineOption> all) {
        return new EngineDescriptor(
                id, summary, List.copyOf(all), ownedVariables, roles, simulatedPorts, logsIn, examples);
    }

    public EngineDescriptor withOptions(EngineOption... all) {
        return withOptions(List.of(all));
    }

    /** The same engine with these variables, which it sets or removes. */
    public EngineDescriptor withVariables(Collection<String> all) {
        return new EngineDescriptor(id, summary, options, new TreeSet<>(all), roles, simulatedPorts, logsIn, examples);
    }

    public EngineDescriptor withVariables(String... all) {
        return withVariables(List.of(all));
    }

    /** The same engine with these roles, which have separate containers on some platforms. */
    public EngineDescriptor withRoles(List<String> all) {
        return new EngineDescriptor(id, summary, options, ownedVariables, all, simulatedPorts, logsIn, examples);
    }

    /** The same engine with this number of free ports for each simulated node or container. */
    public EngineDescriptor withSimulatedPorts(int each) {
        return new EngineDescriptor(id, summary, options, ownedVariables, roles, each, logsIn, examples);
    }

    /** The same engine, whose processes log in to the nodes of the job. */
    public EngineDescriptor withLogins() {
        return new EngineDescriptor(id, summary, options, ownedVariables, roles, simulatedPorts, true, examples);
    }

    /** The same engine, whose help shows these command lines. */
    public EngineDescriptor withExamples(String... all) {
        return new EngineDescriptor(id, summary, options, ownedVariables, roles, simulatedPorts, logsIn, List.of(all));
    }

    /** Whether a variable is one of {@link #ownedVariables}. */
    public boolean owns(String variable) {
        return PlatformContract.matches(ownedVariables, variable);
    }
}
