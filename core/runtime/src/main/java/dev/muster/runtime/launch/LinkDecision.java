package dev.muster.runtime.launch;

import dev.muster.runtime.link.LinkSettings;
import java.util.Optional;

/**
 * Whether this launcher speaks with the others of its job.
 *
 * @param mode what the user wants: {@code auto}, {@code required} or {@code off}
 * @param origin who wants it
 * @param settings how it does; empty: it does not
 * @param why it does not; empty: there are no others
 * @param note what the user should know about that
 */
record LinkDecision(
        String mode, String origin, Optional<LinkSettings> settings, Optional<String> why, Optional<String> note) {

    /** A job of one launcher. */
    boolean isOfOne() {
        return settings.isEmpty() && why.isEmpty();
    }
}
