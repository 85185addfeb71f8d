package dev.muster.runtime.link;

import java.util.Objects;
import java.util.Optional;

/**
 * A leader's word to a launcher that knows the key and is not taken in.
 *
 * @param refused one line for its user
 * @param end how the job ends for it; empty: it should come again
 */
record Rejection(String refused, Optional<JobEnd> end) {

    Rejection {
        Objects.requireNonNull(refused);
    }
}
