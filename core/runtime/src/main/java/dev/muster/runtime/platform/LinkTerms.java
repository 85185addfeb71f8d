package dev.muster.runtime.platform;

import dev.muster.runtime.config.Secret;
import java.time.Duration;
import java.util.Optional;

/**
 * What a platform means for the link between the launchers of a job.
 *
 * @param key what only the nodes of this job or this user share; empty: nothing that is known
 * @param staysFor how long launchers stay after the end of a job that failed on another node, where the platform would not start a
 *     job again all of whose nodes end at once
 */
public record LinkTerms(Optional<SharedKey> key, Optional<Duration> staysFor) {

    /** Nothing that is known. */
    static final LinkTerms NONE = new LinkTerms(Optional.empty(), Optional.empty());

    /**
     * Something that only nodes of the same job have.
     *
     * @param origin for users, for example {@code the key of Volcano's ssh plugin}
     */
    public record SharedKey(Secret text, String origin) {}
}
