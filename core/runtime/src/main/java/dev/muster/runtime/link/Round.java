package dev.muster.runtime.link;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** What came of trying all places where the leader may be, in one word. */
final class Round {

    private final @Nullable InetSocketAddress good;
    private Attempt.@Nullable Failure worst;
    private String why = "";
    private boolean isNobodyWhereItWas;

    /** @param good where the leader was last; null: nowhere yet */
    Round(@Nullable InetSocketAddress good) {
        this.good = good;
    }

    boolean isEmpty() {
        return worst == null;
    }

    /** @param place null: there was none to try */
    void failed(@Nullable InetSocketAddress place, Attempt.Failure failure, String reason) {
        if (good != null && good.equals(place)) {
            isNobodyWhereItWas = failure == Attempt.Failure.NOBODY;
        }
        // Of two reasons the one that says more: a port that answers with another job rather than one that refuses.
        boolean saysMore =
                worst == null || failure.compareTo(worst) > 0 || (failure == worst && why.endsWith("refused"));
        if (saysMore) {
            worst = failure;
            why = reason;
        }
    }

    /** Why the leader was not reached. */
    String why() {
        return why;
    }

    /** Whether its host answers, but nobody there speaks for it. */
    boolean isAbsent() {
        return good == null ? worst == Attempt.Failure.NOBODY : isNobodyWhereItWas && worst != Attempt.Failure.REFUSED;
    }
}
