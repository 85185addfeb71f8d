package dev.muster.runtime.link;

import java.util.Objects;
import java.util.Optional;

/**
 * Why a launcher that knows the key may not take its place in the job. The leader sends it in this form.
 *
 * @param refused one line for its user
 * @param end how the job ends for it; empty: it should try again
 */
record Rejection(String refused, Optional<JobEnd> end) {

    Rejection {
        Objects.requireNonNull(refused);
    }

    /** The launcher should try again. */
    static Rejection forNow(String reason) {
        return new Rejection(reason, Optional.empty());
    }

    /** The job ends for the launcher. */
    static Rejection forGood(JobEnd end) {
        return new Rejection(end.reason(), Optional.of(end));
    }
}
