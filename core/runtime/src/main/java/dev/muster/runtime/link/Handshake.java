package dev.muster.runtime.link;

import java.util.Map;
import java.util.Optional;

/**
 * The first lines of a connection. The member says hello. The leader says hello and proves that it knows the key. Then the member proves it
 * too. A stranger that cannot name the job learns only that the leader leads another one.
 */
record Handshake(Hello own, JobKey key) {

    /** The next step after a line. */
    sealed interface Step {

        /** Send this answer, and wait for another line. */
        record Answer(String line, Hello peer) implements Step {}

        /**
         * The other side knows the key.
         *
         * @param line the own proof to send; empty: it was sent already
         */
        record Done(String line, Hello peer, Session session) implements Step {}

        /**
         * The handshake failed.
         *
         * @param line to send before closing; may be empty
         * @param peer who the other side claims to be; empty for {@link Why#NONSENSE}
         */
        record Failed(String line, Why why, Optional<Hello> peer) implements Step {}
    }

    /** Why a handshake failed. */
    enum Why {
        /** The line is not one of this protocol. */
        NONSENSE,
        /** The other side belongs to another job. */
        OTHER_JOB,
        /** The other side has another key. */
        OTHER_KEY,
        /** The other side has the key but speaks another version of the protocol. */
        OTHER_VERSION
    }

    /** The member's first line. */
    String opening() {
        return own.line(Map.of());
    }

    /** The leader's step after the member's first line. */
    Step answer(byte[] line) {
        Optional<Hello> read = Hello.read(line);
        if (read.isEmpty()) {
            return new Step.Failed("", Why.NONSENSE, read);
        }
        Hello peer = read.get();
        return peer.job().equals(own.job())
                ? new Step.Answer(own.line(Map.of(Hello.PROOF, key.proof(Hello.LEADER, peer, own))), peer)
                : new Step.Failed(Hello.bare(Hello.REFUSED, Hello.OTHER_JOB), Why.OTHER_JOB, read);
    }

    /** The leader's step after the member's second line. */
    Step proved(byte[] line, Hello peer) {
        Session session = new Session(key.session(Hello.LEADER, peer, own), key.session(Hello.MEMBER, peer, own));
        return checked(line, key.proof(Hello.MEMBER, peer, own), new Step.Done("", peer, session));
    }

    /**
     * The member's step after the leader's line.
     *
     * @param leader the name of the launcher that must answer
     */
    Step prove(byte[] line, String leader) {
        Optional<Hello> read = Hello.read(line);
        if (read.isEmpty()) {
            boolean isOther = Hello.field(line, Hello.REFUSED).equals(Hello.OTHER_JOB);
            return new Step.Failed("", isOther ? Why.OTHER_JOB : Why.NONSENSE, read);
        }
        Hello peer = read.get();
        if (!peer.launcher().equals(leader) || !peer.job().equals(own.job())) {
            return new Step.Failed("", Why.NONSENSE, read);
        }
        Session session = new Session(key.session(Hello.MEMBER, own, peer), key.session(Hello.LEADER, own, peer));
        String proof = Hello.bare(Hello.PROOF, key.proof(Hello.MEMBER, own, peer));
        return checked(line, key.proof(Hello.LEADER, own, peer), new Step.Done(proof, peer, session));
    }

    /** The own proof is sent in any case, so that the other side learns that keys or versions differ. */
    private Step checked(byte[] line, String expected, Step.Done done) {
        Optional<Hello> peer = Optional.of(done.peer());
        if (!JobKey.isEqual(expected, Hello.field(line, Hello.PROOF))) {
            return new Step.Failed(done.line(), Why.OTHER_KEY, peer);
        }
        return done.peer().version() == own.version() ? done : new Step.Failed(done.line(), Why.OTHER_VERSION, peer);
    }
}
