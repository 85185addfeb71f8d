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

    /** How it is stopped. */
    StopMethod stop();

    /** The same process with another launch. */
    ProcessSpec withLaunch(Launch other);

    /**
     * A training process. It decides the job: see {@link Outcome}.
     *
     * @param placement its rank, where it has one
     */
    record Task(String id, Launch launch, Optional<Placement> placement, Condition startWhen, StopMethod stop)
            implements ProcessSpec {

        @Override
        public Task withLaunch(Launch other) {
            return new Task(id, other, placement, startWhen, stop);
        }
    }

    /**
     * A helper that must stay up until it is told to stop. It is stopped after the tasks, services in reverse order; ending
     * before is a failure of the job.
     *
     * @param readyWhen from when on it serves: see {@link Condition.Ready}
     * @param stopWhen ends the service, as success, while tasks may still run
     * @param mayEnd whether it may also end by itself, with 0
     */
    record Service(
            String id,
            Launch launch,
            Condition startWhen,
            Condition readyWhen,
            Condition stopWhen,
            boolean mayEnd,
            StopMethod stop)
            implements ProcessSpec {

        /** A service that must not end by itself. */
        public Service(String id, Launch launch, Condition startWhen, Condition stopWhen, StopMethod stop) {
            this(id, launch, startWhen, Condition.IMMEDIATELY, stopWhen, false, stop);
        }

        /** A service that serves as soon as it has been started. */
        public Service(
                String id, Launch launch, Condition startWhen, Condition stopWhen, boolean mayEnd, StopMethod stop) {
            this(id, launch, startWhen, Condition.IMMEDIATELY, stopWhen, mayEnd, stop);
        }

        @Override
        public Service withLaunch(Launch other) {
            return new Service(id, other, startWhen, readyWhen, stopWhen, mayEnd, stop);
        }
    }

    /**
     * A process that ends by itself and does not judge the job, unless {@code required}.
     *
     * @param phase when in the life of the job
     * @param deadline after which it is stopped and counts as failed
     * @param required whether its failure fails the job
     */
    record Step(
            String id,
            Launch launch,
            Phase phase,
            Condition startWhen,
            Duration deadline,
            boolean required,
            StopMethod stop)
            implements ProcessSpec {

        @Override
        public Step withLaunch(Launch other) {
            return new Step(id, other, phase, startWhen, deadline, required, stop);
        }
    }

    /** When a step runs. */
    enum Phase {
        /** Before the first task or service; these wait for its end. */
        BEFORE_TASKS,
        /**
         * When the launcher is told to stop, or a case of the outcome with another code than 0 has come true: before what runs
         * is stopped, and at the same time as {@link StopMethod#first} is. One after another; a failure is a warning. Not when
         * a process has failed: steps {@link #AFTER_OUTCOME} follow then.
         */
        ON_STOP,
        /** After the outcome is known and all tasks have ended, whatever the outcome. */
        AFTER_OUTCOME
    }
}
