package dev.muster.engine.pytorch;

import dev.muster.spi.CardChoice;
import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import dev.muster.spi.Note;
import dev.muster.spi.PlanRequest;
import dev.muster.spi.Value;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The cards of this node.
 *
 * @param count how many; 1 where there are none, for a process that trains on the CPU
 * @param visible what the processes need in {@link #VISIBLE}, where they shall not see what the launcher does
 * @param origin who said so, for messages
 */
record Cards(int count, Optional<String> visible, String origin) {

    /** The cards that CUDA shows to a process, which numbers them from 0. */
    static final String VISIBLE = "CUDA_VISIBLE_DEVICES";

    /** How many threads each process may compute with. Without a limit each takes all cores, and they slow each other down. */
    static final String THREADS = "OMP_NUM_THREADS";

    private static final String DEVICE_PREFIX = "nvidia";

    /** The driver makes one file per card, and others such as {@code nvidiactl} and {@code nvidia-uvm}. */
    static final Input DEVICE_FILES = new Input.Listing("nvidia", "/dev", DEVICE_PREFIX);

    private static final Pattern DEVICE_FILE = Pattern.compile(DEVICE_PREFIX + "[0-9]+");
    private static final Pattern CARD = Pattern.compile("[0-9]+|(GPU|MIG)-.+");

    static Cards of(PlanRequest request) {
        CardChoice choice = request.node().cards();
        if (!choice.ids().isEmpty()) {
            String ids = choice.ids().stream().map(String::valueOf).collect(Collectors.joining(","));
            return new Cards(choice.ids().size(), Optional.of(ids), choice.origin());
        }
        if (choice.count().isPresent()) {
            return seen(choice.count().getAsInt(), choice.origin());
        }
        String visible = request.job().environment().get(VISIBLE);
        return visible == null ? seen(deviceFiles(request), "/dev/nvidia*") : seen(listed(visible), VISIBLE);
    }

    private static Cards seen(int count, String origin) {
        return count > 0
                ? new Cards(count, Optional.empty(), origin)
                : new Cards(1, Optional.empty(), "no card: " + origin);
    }

    /** CUDA reads the list up to the first entry that is no card: none of {@code -1,0}, one of {@code 0,-1,1}. */
    private static int listed(String visible) {
        List<String> entries = List.of(visible.split(",", -1));
        return (int) entries.stream()
                .takeWhile(entry -> CARD.matcher(entry.strip()).matches())
                .count();
    }

    private static int deviceFiles(PlanRequest request) {
        return (int) request.input(DEVICE_FILES.id(), InputValue.Text.class).stream()
                .flatMap(names -> names.content().lines())
                .filter(name -> DEVICE_FILE.matcher(name).matches())
                .count();
    }

    /** What the processes get of these cards, unless the user has chosen: which they see, and how many threads each may have. */
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
