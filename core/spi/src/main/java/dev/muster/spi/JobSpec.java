package dev.muster.spi;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The job as this node knows it.
 *
 * @param id the job's id, from the platform, the user or the runtime; safe in file names
 * @param idIsShared whether the launchers of all nodes have this id; else only this launcher has it, because it made the id itself
 * @param command the training command, one element for each argument; never a shell string
 * @param environment what the processes inherit: the launcher's environment, with the {@code activated} variables; read-only
 * @param options the engine's options that have a value
 * @param platform the platform the job runs on
 * @param inputTimeout how long the job may wait for inputs, and for other things that it cannot make itself ({@code --input-timeout})
 * @param directory the caller's directory, absolute
 * @param places the job's directories
 * @param activated names of the variables that the runtime set on this node when it activated a conda environment; the
 *     launchers of other nodes do that for their nodes
 * @param run the number of this attempt, from 1: with {@code --restarts} a failed job starts again. A value that must differ between
 *     attempts, such as a port that all nodes compute, follows from the id and this number
 * @param restarts how often the job may start again ({@code --restarts})
 * @since 0.1
 */
@Stability(stable = true)
public record JobSpec(
        String id,
        boolean idIsShared,
        List<String> command,
        SortedMap<String, String> environment,
        Map<String, OptionValue> options,
        PlatformContract platform,
        Duration inputTimeout,
        String directory,
        JobDirectories places,
        SortedSet<String> activated,
        int run,
        int restarts) {

    public JobSpec {
        if (run < 1 || restarts < 0) {
            throw new IllegalArgumentException("run " + run + " of a job with " + restarts + " restarts");
        }
        command = List.copyOf(command);
        environment = Collections.unmodifiableSortedMap(new TreeMap<>(environment));
        options = Map.copyOf(options);
        activated = Collections.unmodifiableSortedSet(new TreeSet<>(activated));
    }

    /**
     * The working directory of processes that share one: the directory that the user chose, else the caller's. It is the
     * caller's if each task has its own directory.
     */
    public String sharedWorkDirectory() {
        return places.workDirectoryPerTask() ? directory : places.workDirectory();
    }

    /** The value of an option of the engine, if the option has one. */
    public Optional<OptionValue> option(String name) {
        return Optional.ofNullable(options.get(name));
    }

    /** A variable of the environment that is set and not empty. */
    public Optional<OptionValue> variable(String name) {
        return Optional.ofNullable(environment.get(name))
                .filter(value -> !value.isEmpty())
                .map(value -> new OptionValue(value, name));
    }
}
