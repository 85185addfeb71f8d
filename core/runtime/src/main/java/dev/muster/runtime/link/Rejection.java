package dev.muster.runtime.link;

import java.util.Objects;
import java.util.Optional;

/**
 * Why a launcher that knows the key does not take its place in the job. A leader sends it as it is.
 *
 * @param refused one line for its user
 * @param end how the job ends for it; empty: it should come again
 */
record Rejection(String refused, Optional<JobEnd> end) {

    Rejection {
        Objects.requireNonNull(refused);
    }

    /** Of one that should come again. */
    static Rejection forNow(String reason) {
        return new Rejection(reason, Optional.empty());
    }

    /** Of one for which the job ends so. */
    static Rejection forGood(JobEnd end) {
        return new Rejection(end.reason(), Optional.of(end));
    }
}
