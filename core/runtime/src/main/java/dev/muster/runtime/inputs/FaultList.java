package dev.muster.runtime.inputs;

import dev.muster.runtime.json.Json;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The ranks of a job whose cards have faults, as MindX DL lists them in {@code reset.json}.
 *
 * @param faulty those that are not recovered yet; empty also where all have recovered
 * @param isComplete whether the list may be believed: its writer is not collecting faults still
 */
record FaultList(SortedSet<Integer> faulty, boolean isComplete) {

    private static final String LIST = "RankList";
    private static final String RECOVERED = "recovered";

    /** Reads it; empty: it is no such list, or not yet. */
    static Optional<FaultList> read(byte[] bytes) {
        return content(bytes).flatMap(FaultList::of);
    }

    private static Optional<Map<String, Object>> content(byte[] bytes) {
        Optional<Map<String, Object>> json = Json.read(bytes).object();
        return json.isPresent() ? json : Json.readPython(bytes).object();
    }

    private static Optional<FaultList> of(Map<String, Object> content) {
        Object list = content.get(LIST);
        if (!content.containsKey(LIST) || !(list == null || list instanceof List)) {
            return Optional.empty();
        }
        SortedSet<Integer> faulty = new TreeSet<>();
        for (Object entry : list == null ? List.of() : (List<?>) list) {
            Optional<Integer> rank = entry instanceof Map<?, ?> fault ? rank(fault.get("RankId")) : Optional.empty();
            if (rank.isEmpty()) {
                return Optional.empty();
            }
            // What is neither, such as a recovery that has failed, is no recovery.
            if (!String.valueOf(((Map<?, ?>) entry).get("Status"))
                    .strip()
                    .toLowerCase(Locale.ROOT)
                    .equals(RECOVERED)) {
                faulty.add(rank.get());
            }
        }
        return Optional.of(new FaultList(faulty, !Boolean.TRUE.equals(content.get("FaultFlushing"))));
    }

    private static Optional<Integer> rank(@Nullable Object id) {
        String text = String.valueOf(id).strip();
        return text.matches("[0-9]{1,9}") ? Optional.of(Integer.parseInt(text)) : Optional.empty();
    }
}
