package dev.muster.spi;

import java.time.Duration;
import java.util.Optional;

/**
 * A process of the plan.
 *
 * @since 0.1
 */
@Stability(stable = true)
public sealed interface ProcessSpec {

    /** Unique in the plan; names the process in messages. */
    String id();

    /** What is started. */
    Launch launch();

    /** When it is started. */
    Condition startWhen();

    /** The ranks that it hosts, where it does: hooks have none. */
    default Optional<HostedRanks> hosted() {
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

    /** A task that is started at once and has no rank. */
    static Task task(String id, Launch launch) {
        return new Task(id, launch, Optional.empty(), Condition.IMMEDIATELY, Optional.empty(), Optional.empty());
    }

    /** A service that is started at once, serves at once and stays up to the end. */
    static Service service(String id, Launch launch) {
        Condition atOnce = Condition.IMMEDIATELY;
        return new Service(id, launch, atOnce, atOnce, false, Optional.empty(), Optional.empty());
    }

    /**
     * A hook that may fail and need not wait for anything in its phase.
     *
     * @param deadline after which it is stopped and counts as failed
     */
    static Hook hook(String id, Launch launch, Phase phase, Duration deadline) {
        return new Hook(id, launch, phase, Condition.IMMEDIATELY, deadline, false);
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
        public Task withLaunch(Launch other) {
            return new Task(id, other, placement, startWhen, hosted, rankLines);
        }

        public Task withPlacement(RankInfo rank) {
            return new Task(id, launch, Optional.of(rank), startWhen, hosted, rankLines);
        }

        public Task withStartWhen(Condition holds) {
            return new Task(id, launch, placement, holds, hosted, rankLines);
        }

        /** Ranks that end before it does. */
        public Task withHosted(HostedRanks ranks) {
            return new Task(id, launch, placement, startWhen, Optional.of(ranks), rankLines);
        }

        /** It prints for several ranks. */
        public Task withRankLines(RankLines lines) {
            return new Task(id, launch, placement, startWhen, hosted, Optional.of(lines));
        }
    }

    /**
     * A helper that must stay up until it is told to stop. It is stopped after the tasks, services in reverse order; ending
     * before is a failure of the job.
     *
     * @param readyWhen from when on it serves: see {@link Condition.Kind#READY}
     * @param mayEnd whether it may also end by itself, with 0
     * @param hosted ranks that are started through it and are not of the plan
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
            Optional<Condition> neededUntil)
            implements ProcessSpec {

        @Override
        public Service withLaunch(Launch other) {
            return new Service(id, other, startWhen, readyWhen, mayEnd, hosted, neededUntil);
        }

        public Service withStartWhen(Condition holds) {
            return new Service(id, launch, holds, readyWhen, mayEnd, hosted, neededUntil);
        }

        /** From when on it serves. */
        public Service withReadyWhen(Condition holds) {
            return new Service(id, launch, startWhen, holds, mayEnd, hosted, neededUntil);
        }

        /** It may also end by itself, with 0. */
        public Service withMayEnd() {
            return new Service(id, launch, startWhen, readyWhen, true, hosted, neededUntil);
        }

        /** Ranks that end before it does. */
        public Service withHosted(HostedRanks ranks) {
            return new Service(id, launch, startWhen, readyWhen, mayEnd, Optional.of(ranks), neededUntil);
        }

        /** When the job is stopped, it goes on until this holds. */
        public Service withNeededUntil(Condition holds) {
            return new Service(id, launch, startWhen, readyWhen, mayEnd, hosted, Optional.of(holds));
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
        public Hook withLaunch(Launch other) {
            return new Hook(id, other, phase, startWhen, deadline, required);
        }

        public Hook withStartWhen(Condition holds) {
            return new Hook(id, launch, phase, holds, deadline, required);
        }

        /** Its failure fails the job. */
        public Hook withRequired() {
            return new Hook(id, launch, phase, startWhen, deadline, true);
        }
    }

    /** When a hook runs. */
    enum Phase {
        /** Before the first task or service; these wait for its end. */
        PROLOG,
        /**
         * When the launcher is told to stop, or a case of the outcome with another code than 0 has come true: before what runs
         * is stopped, and at the same time as {@linkplain HostedRanks hosted ranks} are. One after another; a failure is a warning. Not when
         * a process has failed: hooks {@link #EPILOG} follow then.
         */
        ON_STOP,
        /** After the outcome is known and all tasks have ended, whatever the outcome. */
        EPILOG
    }
}
