package dev.muster.runtime.link;

import java.util.Map;
import java.util.Optional;

/**
 * The first lines of a connection. The member says hello; the leader says hello and proves that it knows the key, then the member
 * proves it. Who does not know the key learns nothing but that the leader leads another job.
 */
record Handshake(Hello own, JobKey key) {

    /** What follows from a line that came. */
    sealed interface Step {

        /** An answer, and more is to come. */
        record Answer(String line, Hello peer) implements Step {}

        /**
         * The other side knows the key.
         *
         * @param line what lets it know that we do, too; empty: it knows
         */
        record Done(String line, Hello peer, Session session) implements Step {}

        /**
         * The connection is of no use.
         *
         * @param line to be sent before it is closed; may be empty
         * @param peer who it is as it says; empty for {@link Why#NONSENSE}
         */
        record Failed(String line, Why why, Optional<Hello> peer) implements Step {}
    }

    /** Why a connection is of no use. */
    enum Why {
        /** Not what a launcher says. */
        NONSENSE,
        /** The other one is of another job. */
        OTHER_JOB,
        /** The other one has another key. */
        OTHER_KEY,
        /** The other one has the key and speaks another version of the protocol. */
        OTHER_VERSION
    }

    /** A member's line that opens the connection. */
    String opening() {
        return own.line(Map.of());
    }

    /** A leader goes on with a member's first line. */
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

    /** A leader goes on with a member's second line. */
    Step proved(byte[] line, Hello peer) {
        Session session = new Session(key.session(Hello.LEADER, peer, own), key.session(Hello.MEMBER, peer, own));
        return checked(line, key.proof(Hello.MEMBER, peer, own), new Step.Done("", peer, session));
    }

    /**
     * A member goes on with its leader's line.
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

    /** The other side hears in any case what we prove: so it learns that the keys or the versions differ. */
    private Step checked(byte[] line, String expected, Step.Done done) {
        Optional<Hello> peer = Optional.of(done.peer());
        if (!JobKey.isEqual(expected, Hello.field(line, Hello.PROOF))) {
            return new Step.Failed(done.line(), Why.OTHER_KEY, peer);
        }
        return done.peer().version() == own.version() ? done : new Step.Failed(done.line(), Why.OTHER_VERSION, peer);
    }
}
