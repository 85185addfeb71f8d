package dev.muster.spi;

import java.time.Duration;
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
@Stable
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
        environment = Sorted.map(environment);
        options = Map.copyOf(options);
        activated = Sorted.set(activated);
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

    /**
     * A job that all nodes know by its id, without options, environment or platform, until the builder hears otherwise; it may
     * wait for 30 minutes for what others have to provide.
     */
    public static Builder builder(String id, List<String> command, String directory, JobDirectories places) {
        return new Builder(id, command, directory, places);
    }

    /** Puts a job together. */
    public static final class Builder {

        private final String id;
        private final List<String> command;
        private final String directory;
        private final JobDirectories places;
        private boolean idIsShared = true;
        private SortedMap<String, String> environment = new TreeMap<>();
        private Map<String, OptionValue> options = Map.of();
        private PlatformContract platform = PlatformContract.NONE;
        private Duration inputTimeout = Duration.ofMinutes(30);
        private SortedSet<String> activated = new TreeSet<>();
        private int run = 1;
        private int restarts;

        private Builder(String id, List<String> command, String directory, JobDirectories places) {
            this.id = id;
            this.command = command;
            this.directory = directory;
            this.places = places;
        }

        /** Whether the launchers of all nodes know the job by this id. */
        public Builder idIsShared(boolean isShared) {
            idIsShared = isShared;
            return this;
        }

        public Builder environment(Map<String, String> inherited) {
            environment = new TreeMap<>(inherited);
            return this;
        }

        public Builder options(Map<String, OptionValue> given) {
            options = given;
            return this;
        }

        public Builder platform(PlatformContract contract) {
            platform = contract;
            return this;
        }

        public Builder inputTimeout(Duration timeout) {
            inputTimeout = timeout;
            return this;
        }

        /** Names of the variables that the runtime set for this node alone. */
        public Builder activated(SortedSet<String> variables) {
            activated = variables;
            return this;
        }

        /** Which run of the job this is, from 1, and how often it may start again in place. */
        public Builder run(int number, int mostRestarts) {
            run = number;
            restarts = mostRestarts;
            return this;
        }

        public JobSpec build() {
            return new JobSpec(
                    id,
                    idIsShared,
                    command,
                    environment,
                    options,
                    platform,
                    inputTimeout,
                    directory,
                    places,
                    activated,
                    run,
                    restarts);
        }
    }
}
