package dev.muster.engine.pytorch;

import dev.muster.spi.PlanRequest;
import java.util.OptionalInt;

/** How many threads each process may compute with. Without a limit each takes all cores, and they slow each other down. */
final class CpuThreads {

    static final String VARIABLE = "OMP_NUM_THREADS";

    private CpuThreads() {}

    /** An equal part of the usable cores for each card, at least 1; empty when the user has chosen. */
    static OptionalInt of(PlanRequest request, Cards cards) {
        if (request.job().variable(VARIABLE).isPresent()) {
            return OptionalInt.empty();
        }
        return OptionalInt.of(Math.max(1, request.node().machine().usableCores() / cards.count()));
    }

    /** {@code OMP_NUM_THREADS=2: 16 cores for 8 cards (not set)}. */
    static String note(int threads, PlanRequest request, Cards cards) {
        return VARIABLE + "=" + threads + ": "
                + Messages.count(request.node().machine().usableCores(), "core") + " for "
                + Messages.count(cards.count(), "card") + " (not set)";
    }
}
