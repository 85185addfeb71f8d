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
 * @param id the job's id: the platform's, or given, or made by the runtime; safe in file names
 * @param idIsShared whether the launchers of all nodes know the job by this id; else this one made it for itself
 * @param command the training command, one element an argument; never a shell string
 * @param environment what the processes inherit: what the launcher was started with, but for {@code activated}; read-only
 * @param options the engine's options that have a value
 * @param platform the platform the job runs on
 * @param inputTimeout how long the job may wait for what others have to provide ({@code --input-timeout})
 * @param directory the caller's directory, absolute
 * @param places where this job's directories and files belong
 * @param activated names of those variables that the runtime set for this node alone, by activating a conda environment; the
 *     launchers of other nodes do the same for theirs
 * @param run which run of the job this is since it was started, from 1: a failed job may start again in place. What has to be
 *     another from run to run, such as a port that all nodes compute, comes from the id and this
 * @param restarts how often it may start again in place ({@code --restarts})
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
     * The working directory of processes that share one, where the platform's contract gives none to such processes: the one
     * that the user chose, else the caller's.
     */
    public String sharedWorkDirectory() {
        return places.workDirectoryPerTask() ? directory : places.workDirectory();
    }

    /** The value of an option of the engine, if it has one. */
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
