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

    /** The ranks that it hosts, if it hosts ranks: hooks do not. */
    default Optional<HostedRanks> hosted() {
        return Optional.empty();
    }

    /** Its rank, if it has one: only tasks have ranks. */
    default Optional<RankInfo> placement() {
        return Optional.empty();
    }

    /** The form of its output, if it prints for several ranks: only tasks do. */
    default Optional<RankLines> rankLines() {
        return Optional.empty();
    }

    /** The same process with another launch. */
    ProcessSpec withLaunch(Launch other);

    /** A task that is started at once and has no rank. */
    static Task task(String id, Launch launch) {
        return new Task(id, launch, Optional.empty(), Condition.IMMEDIATELY, Optional.empty(), Optional.empty());
    }

    /** A service that starts at once, is ready at once and runs to the end of the job. */
    static Service service(String id, Launch launch) {
        Condition atOnce = Condition.IMMEDIATELY;
        return new Service(id, launch, atOnce, atOnce, false, Optional.empty(), Optional.empty());
    }

    /**
     * A hook that may fail and that waits for nothing in its phase.
     *
     * @param deadline when the launcher stops it; it has failed then
     */
    static Hook hook(String id, Launch launch, Phase phase, Duration deadline) {
        return new Hook(id, launch, phase, Condition.IMMEDIATELY, deadline, false);
    }

    /**
     * A training process. It decides how the job ends: see {@link Outcome}.
     *
     * @param placement its rank, if it has one
     * @param hosted the ranks that it hosts; the plan does not list them
     * @param rankLines the form of its output, if it prints for several ranks
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

        /** The same task with ranks that it hosts. */
        public Task withHosted(HostedRanks ranks) {
            return new Task(id, launch, placement, startWhen, Optional.of(ranks), rankLines);
        }

        /** The same task that prints for several ranks. */
        public Task withRankLines(RankLines lines) {
            return new Task(id, launch, placement, startWhen, hosted, Optional.of(lines));
        }
    }

    /**
     * A helper process that must run until the launcher stops it. The launcher stops all services at once, after the tasks. A
     * service that ends earlier fails the job.
     *
     * @param readyWhen when it is ready: see {@link Condition.Kind#READY}
     * @param mayEnd whether it may also end by itself, with 0
     * @param hosted the ranks that it hosts; the plan does not list them
     * @param neededUntil in a stop the service runs until this holds, or the grace is over: other processes of the job need it
     *     to save their state; empty: until the tasks of its node have ended
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

        /** When it is ready. */
        public Service withReadyWhen(Condition holds) {
            return new Service(id, launch, startWhen, holds, mayEnd, hosted, neededUntil);
        }

        /** It may also end by itself, with 0. */
        public Service withMayEnd() {
            return new Service(id, launch, startWhen, readyWhen, true, hosted, neededUntil);
        }

        /** The same service with ranks that it hosts. */
        public Service withHosted(HostedRanks ranks) {
            return new Service(id, launch, startWhen, readyWhen, mayEnd, Optional.of(ranks), neededUntil);
        }

        /** In a stop it runs until this holds. */
        public Service withNeededUntil(Condition holds) {
            return new Service(id, launch, startWhen, readyWhen, mayEnd, hosted, Optional.of(holds));
        }
    }

    /**
     * A process that ends by itself. It does not decide how the job ends, unless it is {@code required}.
     *
     * @param phase when in the life of the job
     * @param deadline when the launcher stops it; it has failed then
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
        /** Before the first task or service: these start when the hook has ended. */
        PROLOG,
        /**
         * When the launcher gets a stop, or when a case of the outcome with a code other than 0 comes true. The hooks run one after
         * another, while {@linkplain HostedRanks hosted ranks} stop and before other processes stop. A failure is only a warning. They do
         * not run when a process has failed: then only {@link #EPILOG} hooks run.
         */
        ON_STOP,
        /** When the outcome is known and all tasks have ended, after success and after failure. */
        EPILOG
    }
}
