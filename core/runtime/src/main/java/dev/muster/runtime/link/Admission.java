package dev.muster.runtime.link;

import java.util.Optional;

/** Whether a launcher that has proved to know the key may take its place in the job. */
sealed interface Admission {

    /** It may: {@link Party#connected} comes next. */
    record Welcome() implements Admission {}

    /**
     * Somebody else has its place, who is being asked whether he still lives: keep the connection, answer nothing, and ask
     * {@link Party#admit} again every {@link #PAUSE} nanoseconds.
     */
    record Wait() implements Admission {

        static final long PAUSE = 50_000_000;
    }

    /**
     * It may not.
     *
     * @param reason one line for its user
     * @param end how the job ends for it; empty: it should come again, since the job that it meets is ending
     */
    record Refusal(String reason, Optional<JobEnd> end) implements Admission {}
}
