package dev.muster.spi;

import java.time.Duration;
import java.util.Optional;

/**
 * A process of the plan.
 *
 * @since 0.1
 */
public sealed interface ProcessSpec {

    /** Unique in the plan; names the process in messages. */
    String id();

    /** What is started. */
    Launch launch();

    /** When it is started. */
    Condition startWhen();

    /** The ranks that it hosts, where it does: steps have none. */
    default Optional<HostedRanks> hosted() {
        return Optional.empty();
    }

    /** Whether it stays while a failed job starts again in place, and with which files: only services do. */
    default Optional<Kept> kept() {
        return Optional.empty();
    }

    /** Its rank, where it has one: only tasks have. */
    default Optional<RankInfo> placement() {
        return Optional.empty();
    }

    /** How its output reads, where it prints for several ranks: only tasks do. */
    default Optional<RankLines> rankLines() {
        return Optional.empty();
    }

    /** The same process with another launch. */
    ProcessSpec withLaunch(Launch other);

    /** What this becomes, by its kind. */
    <T> T fold(Cases<T> cases);

    /** A task that is started at once and has no rank, until the builder hears otherwise. */
    static Task.Builder task(String id, Launch launch) {
        return new Task.Builder(id, launch);
    }

    /** A service that is started at once, serves at once and stays up to the end, until the builder hears otherwise. */
    static Service.Builder service(String id, Launch launch) {
        return new Service.Builder(id, launch);
    }

    /**
     * A step that may fail and need not wait for anything in its phase, until the builder hears otherwise.
     *
     * @param deadline after which it is stopped and counts as failed
     */
    static Hook.Builder hook(String id, Launch launch, Phase phase, Duration deadline) {
        return new Hook.Builder(id, launch, phase, deadline);
    }

    /**
     * A training process. It decides the job: see {@link Outcome}.
     *
     * @param placement its rank, where it has one
     * @param hosted ranks that it hosts and that are not of the plan
     * @param rankLines how its output reads, where it prints for several ranks
     */
    record Task(
            String id,
            Launch launch,
            Optional<RankInfo> placement,
            Condition startWhen,
            Optional<HostedRanks> hosted,
            Optional<RankLines> rankLines)
            implements ProcessSpec {
        @Override
        public <T> T fold(Cases<T> cases) {
            return cases.task(this);
        }

        @Override
        public Task withLaunch(Launch other) {
            return new Task(id, other, placement, startWhen, hosted, rankLines);
        }

        /** Puts a task together: see {@link ProcessSpec#task}. */
        public static final class Builder {

            private final String id;
            private final Launch launch;
            private Optional<RankInfo> placement = Optional.empty();
            private Condition startWhen = Condition.IMMEDIATELY;
            private Optional<HostedRanks> hosted = Optional.empty();
            private Optional<RankLines> rankLines = Optional.empty();

            private Builder(String id, Launch launch) {
                this.id = id;
                this.launch = launch;
            }

            /** Its rank. */
            public Builder placement(RankInfo rank) {
                placement = Optional.of(rank);
                return this;
            }

            public Builder startWhen(Condition holds) {
                startWhen = holds;
                return this;
            }

            /** Ranks that end before it does. */
            public Builder hosts(HostedRanks ranks) {
                hosted = Optional.of(ranks);
                return this;
            }

            /** It prints for several ranks. */
            public Builder rankLines(RankLines lines) {
                rankLines = Optional.of(lines);
                return this;
            }

            public Task build() {
                return new Task(id, launch, placement, startWhen, hosted, rankLines);
            }
        }
    }

    /**
     * A helper that must stay up until it is told to stop. It is stopped after the tasks, services in reverse order; ending
     * before is a failure of the job.
     *
     * @param readyWhen from when on it serves: see {@link Condition.Ready}
     * @param mayEnd whether it may also end by itself, with 0
     * @param hosted ranks that are started through it and are not of the plan
     * @param kept whether it stays while a failed job starts again in place; empty: it does not
     * @param neededUntil when the job is stopped, it goes on until this holds, or the grace period is over: others of the job need it
     *     to save what they have; empty: until the tasks of its own node have ended
     */
    record Service(
            String id,
            Launch launch,
            Condition startWhen,
            Condition readyWhen,
            boolean mayEnd,
            Optional<HostedRanks> hosted,
            Optional<Kept> kept,
            Optional<Condition> neededUntil)
            implements ProcessSpec {
        @Override
        public <T> T fold(Cases<T> cases) {
            return cases.service(this);
        }

        @Override
        public Service withLaunch(Launch other) {
            return new Service(id, other, startWhen, readyWhen, mayEnd, hosted, kept, neededUntil);
        }

        /** Puts a service together: see {@link ProcessSpec#service}. */
        public static final class Builder {

            private final String id;
            private final Launch launch;
            private Condition startWhen = Condition.IMMEDIATELY;
            private Condition readyWhen = Condition.IMMEDIATELY;
            private boolean mayEnd;
            private Optional<HostedRanks> hosted = Optional.empty();
            private Optional<Kept> kept = Optional.empty();
            private Optional<Condition> neededUntil = Optional.empty();

            private Builder(String id, Launch launch) {
                this.id = id;
                this.launch = launch;
            }

            public Builder startWhen(Condition holds) {
                startWhen = holds;
                return this;
            }

            /** From when on it serves. */
            public Builder readyWhen(Condition holds) {
                readyWhen = holds;
                return this;
            }

            /** It may also end by itself, with 0. */
            public Builder mayEnd() {
                mayEnd = true;
                return this;
            }

            /** Ranks that end before it does. */
            public Builder hosts(HostedRanks ranks) {
                hosted = Optional.of(ranks);
                return this;
            }

            /** It stays while a failed job starts again in place. */
            public Builder kept(Kept with) {
                kept = Optional.of(with);
                return this;
            }

            /** When the job is stopped, it goes on until this holds. */
            public Builder neededUntil(Condition holds) {
                neededUntil = Optional.of(holds);
                return this;
            }

            public Service build() {
                return new Service(id, launch, startWhen, readyWhen, mayEnd, hosted, kept, neededUntil);
            }
        }
    }

    /**
     * A process that ends by itself and does not judge the job, unless {@code required}.
     *
     * @param phase when in the life of the job
     * @param deadline after which it is stopped and counts as failed
     * @param required whether its failure fails the job
     */
    record Hook(String id, Launch launch, Phase phase, Condition startWhen, Duration deadline, boolean required)
            implements ProcessSpec {
        @Override
        public <T> T fold(Cases<T> cases) {
            return cases.hook(this);
        }

        @Override
        public Hook withLaunch(Launch other) {
            return new Hook(id, other, phase, startWhen, deadline, required);
        }

        /** Puts a hook together: see {@link ProcessSpec#hook}. */
        public static final class Builder {

            private final String id;
            private final Launch launch;
            private final Phase phase;
            private final Duration deadline;
            private Condition startWhen = Condition.IMMEDIATELY;
            private boolean required;

            private Builder(String id, Launch launch, Phase phase, Duration deadline) {
                this.id = id;
                this.launch = launch;
                this.phase = phase;
                this.deadline = deadline;
            }

            public Builder startWhen(Condition holds) {
                startWhen = holds;
                return this;
            }

            /** Its failure fails the job. */
            public Builder required() {
                required = true;
                return this;
            }

            public Hook build() {
                return new Hook(id, launch, phase, startWhen, deadline, required);
            }
        }
    }

    /** When a step runs. */
    enum Phase {
        /** Before the first task or service; these wait for its end. */
        PROLOG,
        /**
         * When the launcher is told to stop, or a case of the outcome with another code than 0 has come true: before what runs
         * is stopped, and at the same time as {@linkplain HostedRanks hosted ranks} are. One after another; a failure is a warning. Not when
         * a process has failed: steps {@link #EPILOG} follow then.
         */
        ON_STOP,
        /** After the outcome is known and all tasks have ended, whatever the outcome. */
        EPILOG
    }

    /**
     * What becomes of each kind of process. A new kind is a method more, so that nobody forgets it.
     *
     * @param <T> what it becomes
     */
    interface Cases<T> {

        T task(Task task);

        T service(Service service);

        T hook(Hook step);
    }
}
