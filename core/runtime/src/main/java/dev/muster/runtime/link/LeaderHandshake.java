package dev.muster.runtime.link;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The leader's part of the first lines of a connection. */
final class LeaderHandshake implements Handshake {

    private final Hello own;
    private final JobKey key;
    private final Hello.Refusal otherKey;
    private @Nullable Hello member;

    LeaderHandshake(Hello own, JobKey key) {
        this(own, key, Hello.Refusal.KEY);
    }

    /** @param otherKey what a member with another key is told */
    LeaderHandshake(Hello own, JobKey key, Hello.Refusal otherKey) {
        this.own = own;
        this.key = key;
        this.otherKey = otherKey;
    }

    /** Whether the other side has sent a hello with a right signature: it knows the key, or has heard somebody who does. */
    boolean isHalfDone() {
        return member != null;
    }

    @Override
    public Step step(byte[] line) {
        return member == null ? hello(line) : proof(line, member);
    }

    private Step hello(byte[] line) {
        Optional<Hello.Signed> read = Hello.read(line);
        if (read.isEmpty()) {
            return new Step.Failed("", Why.NONSENSE, Optional.empty());
        }
        Hello peer = read.get().hello();
        if (!peer.job().equals(own.job())) {
            return new Step.Failed(Hello.refusal(Hello.Refusal.JOB), Why.OTHER_JOB, Optional.of(peer));
        }
        if (!JobKey.isEqual(key.signature(Role.MEMBER, peer), read.get().signature())) {
            return new Step.Failed(Hello.refusal(otherKey), Why.OTHER_KEY, Optional.of(peer));
        }
        String signature = key.signature(Role.LEADER, own);
        if (peer.version() != own.version()) {
            return new Step.Failed(own.line(signature), Why.OTHER_VERSION, Optional.of(peer));
        }
        member = peer;
        return new Step.Answer(own.line(signature, key.proof(Role.LEADER, peer, own)));
    }

    private Step proof(byte[] line, Hello peer) {
        if (!JobKey.isEqual(key.proof(Role.MEMBER, peer, own), Hello.proofIn(line))) {
            return new Step.Failed("", Why.NONSENSE, Optional.empty());
        }
        return new Step.Done(
                "", peer, new Session(key.session(Role.LEADER, peer, own), key.session(Role.MEMBER, peer, own)));
    }
}
