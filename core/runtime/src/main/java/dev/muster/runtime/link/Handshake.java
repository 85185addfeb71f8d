package dev.muster.runtime.link;

import java.util.Optional;

/**
 * One side's part of the first lines of a connection. The member says hello, signed; the leader says hello and proves that it
 * knows the key, then the member proves it. Who does not know the key learns nothing but that the leader leads another job, or
 * has another key.
 */
interface Handshake {

    /** What follows from a line that came. */
    sealed interface Step {

        /** An answer, and more is to come. */
        record Answer(String line) implements Step {}

        /**
         * The other side knows the key.
         *
         * @param line what lets it know that we do, too; may be empty
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
        /** The other one has another key; a leader's word for it is not signed. */
        OTHER_KEY,
        /** The leader has another key, and gives it to who has its user's credentials; not signed, either. */
        WANTS_CREDENTIAL,
        /** The other one has the key and speaks another version of the protocol. */
        OTHER_VERSION
    }

    /** Goes on with a line that came, without its end. */
    Step step(byte[] line);
}
