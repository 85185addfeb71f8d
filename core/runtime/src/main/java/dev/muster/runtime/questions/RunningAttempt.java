package dev.muster.runtime.questions;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What runs on a node, for whoever answers requests and questions about it. Any thread may ask. What waits for the event loop throws
 * {@link IllegalArgumentException} where that does not answer in time, with a message for users.
 */
public interface RunningAttempt {

    /** The processes of the plan, in its order. Waits for the event loop. */
    List<NodeProcess> processes() throws InterruptedException;

    /** The same as {@code muster ps} lists them. */
    List<?> listed() throws InterruptedException;

    /** Whether the job still runs here, and is not being stopped. */
    boolean isOpen() throws InterruptedException;

    /** What a process printed last; empty for one without output. */
    String lastOutput(String id);

    /** When it printed last, on the launcher's clock. Empty: it has printed nothing. */
    OptionalLong printedAt(String id);

    /** The job hangs, and ends for that. */
    void hangs(String reason, boolean isToRestart);

    /**
     * From now on, this long between TERM and KILL. Returns at once.
     *
     * @param grace empty: as long as it is now
     * @param then gets it once that is so
     */
    void setGrace(Optional<Duration> grace, Consumer<Duration> then);

    /**
     * Tells what {@code muster ps} shows. Returns at once.
     *
     * @param answer takes an object of JSON
     */
    void list(Consumer<Map<String, Object>> answer);

    /**
     * A process of the plan.
     *
     * @param kind {@code task}, {@code service} or {@code step}
     * @param pid empty before it is started
     * @param state {@code waiting}, {@code running} or {@code ended}
     */
    record NodeProcess(String id, String kind, OptionalInt rank, OptionalLong pid, String state) {

        /** With this an answer about it begins. */
        public Map<String, @Nullable Object> entry() {
            Map<String, @Nullable Object> entry = new LinkedHashMap<>();
            entry.put("id", id);
            entry.put("rank", rank.isPresent() ? rank.getAsInt() : null);
            entry.put("pid", pid.isPresent() ? pid.getAsLong() : null);
            return entry;
        }

        /** Whether it runs now. */
        public boolean isRunning() {
            return state.equals("running") && pid.isPresent();
        }
    }
}
