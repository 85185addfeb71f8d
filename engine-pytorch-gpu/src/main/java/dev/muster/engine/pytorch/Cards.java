package dev.muster.engine.pytorch;

import dev.muster.spi.CardChoice;
import dev.muster.spi.Note;
import dev.muster.spi.PlanRequest;
import dev.muster.spi.Value;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The cards of this node.
 *
 * @param count the number of cards; 1 without cards, for one process that trains on the CPU
 * @param visible the value of {@link #VISIBLE} for the processes; empty: they see the same cards as the launcher
 * @param origin where the number comes from, for messages
 */
record Cards(int count, Optional<String> visible, String origin) {

    /** The cards that CUDA shows to a process, which numbers them from 0. */
    static final String VISIBLE = "CUDA_VISIBLE_DEVICES";

    /** The number of threads for each process. Without a limit each process uses all cores, and they slow each other down. */
    static final String THREADS = "OMP_NUM_THREADS";

    static Cards of(PlanRequest request) {
        CardChoice choice = request.node().cards();
        Optional<String> ids = Optional.of(
                        choice.ids().stream().map(String::valueOf).collect(Collectors.joining(",")))
                .filter(list -> !list.isEmpty());
        int count = choice.count().orElse(choice.usable().size());
        return count > 0 ? new Cards(count, ids, choice.origin()) : new Cards(1, ids, "no card: " + choice.origin());
    }

    /** The variables for visible cards and for threads, unless the user has set them. */
    Map<String, Value> variables(PlanRequest request) {
        Map<String, Value> set = new TreeMap<>();
        visible.ifPresent(ids -> set.put(VISIBLE, Value.of(ids)));
        if (request.job().variable(THREADS).isEmpty()) {
            set.put(THREADS, Value.of(threads(request)));
        }
        return set;
    }

    /** {@code OMP_NUM_THREADS=2: 16 cores for 8 cards (not set)}. */
    Optional<Note> note(PlanRequest request) {
        return request.job().variable(THREADS).isPresent()
                ? Optional.empty()
                : Optional.of(Note.info(THREADS + "=" + threads(request) + ": "
                        + Messages.count(request.node().machine().usableCores(), "core") + " for "
                        + Messages.count(count, "card") + " (not set)"));
    }

    /** An equal part of the usable cores for each card, at least 1. */
    private int threads(PlanRequest request) {
        return Math.max(1, request.node().machine().usableCores() / count);
    }
}
