package dev.muster.runtime.platform;

import dev.muster.runtime.config.Secret;
import java.time.Duration;
import java.util.Optional;

/**
 * What a platform means for the link between the launchers of a job.
 *
 * @param key what only the nodes of this job or this user share; empty: nothing that is known
 * @param hasMunge see {@link Platform#hasMunge}
 * @param staysFor see {@link Platform#staysFor}
 */
public record LinkTerms(Optional<SharedKey> key, boolean hasMunge, Optional<Duration> staysFor) {

    /**
     * Something that only nodes of the same job have.
     *
     * @param origin for users, for example {@code the key of Volcano's ssh plugin}
     */
    public record SharedKey(Secret text, String origin) {}
}
