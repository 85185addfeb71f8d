package dev.muster.runtime.supervise;

import dev.muster.runtime.output.OutputHub;
import dev.muster.runtime.questions.RunningAttempt;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** Access to a running attempt for threads other than the event loop: for {@code muster ps}, {@code muster stop} and questions. */
record AttemptView(Events events, OutputHub hub) implements RunningAttempt {

    private static final Duration PATIENCE = Duration.ofSeconds(2);

    @Override
    public List<NodeProcess> processes() throws InterruptedException {
        return rows().stream().map(process -> process((Map<?, ?>) process)).toList();
    }

    @Override
    public List<?> rows() throws InterruptedException {
        return list().get("processes") instanceof List<?> processes ? processes : List.of();
    }

    private static NodeProcess process(Map<?, ?> entry) {
        return new NodeProcess(
                String.valueOf(entry.get("id")),
                String.valueOf(entry.get("kind")),
                entry.get("rank") instanceof Integer rank ? OptionalInt.of(rank) : OptionalInt.empty(),
                entry.get("pid") instanceof Long pid ? OptionalLong.of(pid) : OptionalLong.empty(),
                String.valueOf(entry.get("state")));
    }

    @Override
    public boolean isOpen() throws InterruptedException {
        return "running".equals(list().get("state"));
    }

    /**
     * What {@code muster ps} shows.
     *
     * @throws IllegalArgumentException the event loop does not answer in time; the message is for users
     */
    private Map<String, Object> list() throws InterruptedException {
        CompletableFuture<Map<String, Object>> answer = new CompletableFuture<>();
        list(answer::complete);
        try {
            return answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException busy) {
            throw new IllegalArgumentException("its launcher is busy. Ask again", busy);
        }
    }

    @Override
    public void list(Consumer<Map<String, Object>> answer) {
        events.post(new Event.ListAsked(answer, events.now()));
    }

    @Override
    public void setGrace(Optional<Duration> grace, Consumer<Duration> then) {
        events.post(new Event.GraceSet(grace, then, events.now()));
    }

    @Override
    public void reportHang(String reason, boolean isToRestart) {
        events.post(new Event.Hangs(reason, isToRestart, events.now()));
    }

    @Override
    public String lastOutput(String id) {
        return hub.last(id);
    }

    @Override
    public OptionalLong printedAt(String id) {
        return hub.printedAt(id);
    }
}
