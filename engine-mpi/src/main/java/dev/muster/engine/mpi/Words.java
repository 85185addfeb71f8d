package dev.muster.engine.mpi;

import dev.muster.spi.Condition;
import dev.muster.spi.Outcome;
import java.time.Duration;
import java.util.Optional;

/** What the nodes of a job say to each other, and what it means. */
final class Words {

    /** Node 0 to the others: the job is over. */
    static final String RELEASE = "release";

    /** Any node to node 0, and node 0 to the others: end what runs. */
    static final String STOP = "stop";

    /** Nothing was told, since nobody answered. */
    static final String UNHEARD = "unheard";

    /** The exit code for what may work if it is tried again. */
    static final int TRY_AGAIN = 75;

    private Words() {}

    /** A word has come that says with which code the job ends. */
    static Outcome.Case told(String word, String reason) {
        return new Outcome.Case(
                new Condition.PrivateFileReady(word), TRY_AGAIN, Optional.of(word), Optional.empty(), reason);
    }

    /** A host that had answered does so no more. */
    static Condition gone(MpiHost host, Duration lostAfter) {
        return new Condition.PortClosed(host.address(), host.port(), lostAfter, Optional.of(lostAfter));
    }
}
