package dev.muster.engine.mpi;

import dev.muster.spi.PlanException;

/** Refusals of this engine, with the exit code that fits their origin. */
final class Refusal {

    private Refusal() {}

    /** Environment and settings do not fit the job. */
    static PlanException configuration(String message) {
        return new PlanException(PlanException.Kind.CONFIGURATION, message);
    }

    /** A program, a key or an account is missing on this machine. */
    static PlanException unavailable(String message) {
        return new PlanException(PlanException.Kind.UNAVAILABLE, message);
    }
}
