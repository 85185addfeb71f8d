package dev.muster.runtime.link;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The first lines of a connection. The member says hello, signed; the leader says hello and proves that it knows the key, then the
 * member proves it. Who does not know the key learns nothing but that the leader leads another job, or has another key.
 */
final class Handshake {

    private final Hello own;
    private final JobKey key;

    Handshake(Hello own, JobKey key) {
        this.own = own;
        this.key = key;
    }

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
        /** The other one has another key; a leader's word for it is not signed. */
        OTHER_KEY,
        /** The leader has another key, and gives it to who has munge and its user; not signed, either. */
        WANTS_CREDENTIAL,
        /** The other one has the key and speaks another version of the protocol. */
        OTHER_VERSION
    }

    /**
     * A member's line that opens the connection.
     *
     * @param more what is in it beside the hello
     */
    String opening(Map<String, String> more) {
        Map<String, String> fields = new TreeMap<>(more);
        fields.put(Hello.MAC, key.signature(Hello.MEMBER, own));
        return own.line(fields);
    }

    /** A leader goes on with a member's first line. */
    Step answer(byte[] line, boolean hasMunge) {
        Optional<Hello> read = Hello.read(line);
        Optional<Why> problem = problem(read, line, Hello.MEMBER);
        if (problem.isEmpty()) {
            Hello peer = read.orElseThrow();
            return new Step.Answer(
                    own.line(Map.of(
                            Hello.MAC, key.signature(Hello.LEADER, own),
                            Hello.PROOF, key.proof(Hello.LEADER, peer, own))),
                    peer);
        }
        String said = switch (problem.get()) {
            case OTHER_JOB -> Hello.bare(Hello.REFUSED, "job");
            case OTHER_KEY -> Hello.bare(Hello.REFUSED, hasMunge ? Hello.CREDENTIAL : "key");
            case OTHER_VERSION -> own.line(Map.of(Hello.MAC, key.signature(Hello.LEADER, own)));
            default -> "";
        };
        return new Step.Failed(said, problem.get(), read);
    }

    /** A leader goes on with a member whose key it cannot learn. */
    static Step refuseKey() {
        return new Step.Failed(Hello.bare(Hello.REFUSED, "key"), Why.OTHER_KEY, Optional.empty());
    }

    /** A leader goes on with a member's second line. */
    Step proved(byte[] line, Hello peer) {
        if (!JobKey.isEqual(key.proof(Hello.MEMBER, peer, own), Hello.field(line, Hello.PROOF))) {
            return new Step.Failed("", Why.NONSENSE, Optional.empty());
        }
        return new Step.Done(
                "", peer, new Session(key.session(Hello.LEADER, peer, own), key.session(Hello.MEMBER, peer, own)));
    }

    /**
     * A member goes on with its leader's line.
     *
     * @param leader the name of the launcher that must answer
     */
    Step prove(byte[] line, String leader) {
        Optional<Step> refused = refused(line);
        Optional<Hello> read = Hello.read(line);
        Optional<Why> problem = problem(read, line, Hello.LEADER);
        if (refused.isPresent() || problem.isPresent()) {
            return refused.orElseGet(() -> new Step.Failed("", problem.orElseThrow(), read));
        }
        Hello peer = read.orElseThrow();
        boolean isLeader = peer.launcher().equals(leader)
                && JobKey.isEqual(key.proof(Hello.LEADER, own, peer), Hello.field(line, Hello.PROOF));
        return isLeader
                ? new Step.Done(
                        Hello.bare(Hello.PROOF, key.proof(Hello.MEMBER, own, peer)),
                        peer,
                        new Session(key.session(Hello.MEMBER, own, peer), key.session(Hello.LEADER, own, peer)))
                : new Step.Failed("", Why.NONSENSE, read);
    }

    /** What a leader's line means that may be a refusal; empty: it is none. */
    static Optional<Step> refused(byte[] line) {
        Why why = switch (Hello.field(line, Hello.REFUSED)) {
            case "job" -> Why.OTHER_JOB;
            case "key" -> Why.OTHER_KEY;
            case Hello.CREDENTIAL -> Why.WANTS_CREDENTIAL;
            default -> Why.NONSENSE;
        };
        return why == Why.NONSENSE ? Optional.empty() : Optional.of(new Step.Failed("", why, Optional.empty()));
    }

    private Optional<Why> problem(Optional<Hello> read, byte[] line, String role) {
        if (read.isEmpty()) {
            return Optional.of(Why.NONSENSE);
        }
        Hello peer = read.get();
        if (!peer.job().equals(own.job())) {
            return Optional.of(Why.OTHER_JOB);
        }
        if (!JobKey.isEqual(key.signature(role, peer), Hello.field(line, Hello.MAC))) {
            return Optional.of(Why.OTHER_KEY);
        }
        return peer.version() == own.version() ? Optional.empty() : Optional.of(Why.OTHER_VERSION);
    }
}
