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
 * The running attempt on a node, as handlers of requests and questions see it. Any thread may use it. A method that waits for the event
 * loop throws {@link IllegalArgumentException} if it gets no answer in time, with a message for users.
 */
public interface RunningAttempt {

    /** The processes of the plan, in its order. Waits for the event loop. */
    List<NodeProcess> processes() throws InterruptedException;

    /** The processes as {@code muster ps} lists them. */
    List<?> rows() throws InterruptedException;

    /** Whether the job still runs here, and is not being stopped. */
    boolean isOpen() throws InterruptedException;

    /** What a process printed last; empty for one without output. */
    String lastOutput(String id);

    /** When a process printed last, on the launcher's clock; empty: it has printed nothing. */
    OptionalLong printedAt(String id);

    /** The job hangs, and must end. */
    void reportHang(String reason, boolean isToRestart);

    /**
     * Sets the grace from now on. Returns at once.
     *
     * @param grace empty: it stays as it is
     * @param then gets the grace once it is valid
     */
    void setGrace(Optional<Duration> grace, Consumer<Duration> then);

    /**
     * Gives what {@code muster ps} shows. Returns at once.
     *
     * @param answer takes a JSON object
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

        /** The first fields of an answer about this process. */
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
