package dev.muster.runtime.link;

import java.util.Optional;

/** A member's part of the first lines of a connection. */
final class MemberHandshake implements Handshake {

    private final Hello own;
    private final String leader;
    private final JobKey key;

    /** @param leader the name of the launcher that must answer */
    MemberHandshake(Hello own, String leader, JobKey key) {
        this.own = own;
        this.leader = leader;
        this.key = key;
    }

    /** The line that opens the connection. */
    String opening() {
        return own.line(key.signature(Role.MEMBER, own));
    }

    @Override
    public Step step(byte[] line) {
        Optional<Hello.Refusal> refusal = Hello.readRefusal(line);
        if (refusal.isPresent()) {
            return refused(refusal.get());
        }
        Optional<Hello.Signed> read = Hello.read(line);
        if (read.isEmpty()) {
            return failed(Why.NONSENSE, Optional.empty());
        }
        Hello peer = read.get().hello();
        if (!peer.job().equals(own.job())) {
            return failed(Why.OTHER_JOB, Optional.of(peer));
        }
        if (!JobKey.isEqual(key.signature(Role.LEADER, peer), read.get().signature())) {
            return failed(Why.OTHER_KEY, Optional.of(peer));
        }
        if (peer.version() != own.version()) {
            return failed(Why.OTHER_VERSION, Optional.of(peer));
        }
        return proved(line, peer);
    }

    private Step proved(byte[] line, Hello peer) {
        boolean isLeader = peer.launcher().equals(leader)
                && JobKey.isEqual(key.proof(Role.LEADER, own, peer), Hello.proofIn(line));
        if (!isLeader) {
            return failed(Why.NONSENSE, Optional.of(peer));
        }
        return new Step.Done(
                Hello.proofLine(key.proof(Role.MEMBER, own, peer)),
                peer,
                new Session(key.session(Role.MEMBER, own, peer), key.session(Role.LEADER, own, peer)));
    }

    static Step refused(Hello.Refusal refusal) {
        Why why = switch (refusal) {
            case JOB -> Why.OTHER_JOB;
            case KEY -> Why.OTHER_KEY;
            case CREDENTIAL -> Why.WANTS_CREDENTIAL;
        };
        return failed(why, Optional.empty());
    }

    private static Step failed(Why why, Optional<Hello> peer) {
        return new Step.Failed("", why, peer);
    }
}
