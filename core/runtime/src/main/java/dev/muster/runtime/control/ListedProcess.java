package dev.muster.runtime.control;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A process of a launcher's, as {@code muster ps} shows it.
 *
 * @param kind {@code task}, {@code service} or {@code step}
 * @param rank null when it has none
 * @param localRank the same
 * @param pid null before it is started
 * @param state {@code waiting}, {@code running} or {@code ended}
 */
public record ListedProcess(
        String id,
        @Nullable String kind,
        @Nullable Integer rank,
        @Nullable Integer localRank,
        @Nullable Long pid,
        String state) {

    /** The state of what has been started and has not ended. */
    public static final String RUNNING = "running";

    /** In JSON. */
    public Map<String, @Nullable Object> json() {
        Map<String, @Nullable Object> entry = new LinkedHashMap<>();
        entry.put("id", id);
        entry.put("kind", kind);
        entry.put("rank", rank);
        entry.put("localRank", localRank);
        entry.put("pid", pid);
        entry.put("state", state);
        return entry;
    }
}
