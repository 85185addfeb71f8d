package dev.muster.runtime.process;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.process.ProcessSupervisor.StartedProcess;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** The processes that were ordered and have not ended, by id. */
final class StartedProcesses {

    private static final int NO_ENTRY = 2;
    private static final int TOO_LARGE = 7;
    /** Error numbers of failures that may be over at the next try. */
    private static final Set<Integer> PASSING = Set.of(11, 12, 23, 24);

    private final LongSupplier nanoClock;
    private final Map<Long, Ordered> ordered = new HashMap<>();
    private boolean isLost;

    StartedProcesses(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    private record Ordered(Consumer<ProcessEnd> listener, CompletableFuture<StartedProcess> started) {}

    /** A process is about to be ordered. */
    synchronized CompletableFuture<StartedProcess> expect(long id, Consumer<ProcessEnd> listener) throws IOException {
        if (isLost) {
            throw lostException();
        }
        CompletableFuture<StartedProcess> started = new CompletableFuture<>();
        ordered.put(id, new Ordered(listener, started));
        return started;
    }

    /** Waits for an answer. An interrupt by a plugin does not end the wait. */
    static <T> T await(CompletableFuture<T> answer) throws IOException {
        try {
            return answer.join();
        } catch (CompletionException refused) {
            Throwable cause = Objects.requireNonNullElse(refused.getCause(), refused);
            throw new IOException(String.valueOf(cause.getMessage()), cause);
        }
    }

    void onStarted(SupervisorMessage event) throws IOException {
        long id = event.number("id");
        find(id).started().complete(new StartedProcess(id, event.number("pid")));
    }

    void onFailed(SupervisorMessage event) throws IOException {
        Ordered process = remove(event.number("id"));
        int error = (int) event.number("error");
        String text = event.text("text");
        if (!process.started().completeExceptionally(new IOException(text))) {
            process.listener().accept(new ProcessEnd(notStarted(error, text), nanoClock.getAsLong(), Optional.empty()));
        }
    }

    /** @param error an {@code errno}; negative: about the working directory */
    private static Termination notStarted(int error, String text) {
        String place = error < 0 ? "the working directory: " : "";
        String limit = error == TOO_LARGE
                ? ": arguments and environment may take a quarter of the stack's limit (ulimit -s) together"
                : "";
        ExitCode code = Math.abs(error) == NO_ENTRY ? ExitCode.NOT_FOUND : ExitCode.NOT_EXECUTABLE;
        return Termination.notStarted(
                PASSING.contains(Math.abs(error)) ? ExitCode.TEMPORARY : code, place + text + limit);
    }

    void onEnded(SupervisorMessage event) throws IOException {
        Ordered process = remove(event.number("id"));
        process.listener()
                .accept(new ProcessEnd(
                        Termination.ofWaitStatus((int) event.number("status")),
                        event.number("time"),
                        Optional.of(ResourceUse.of(event))));
    }

    /** The supervisor is gone: no more events come for any process. */
    synchronized void onLost() {
        isLost = true;
        ordered.values().forEach(process -> process.started().completeExceptionally(lostException()));
        ordered.clear();
    }

    private synchronized Ordered find(long id) throws IOException {
        Ordered process = ordered.get(id);
        if (process == null) {
            throw new IOException("nobody has ordered process " + id);
        }
        return process;
    }

    private synchronized Ordered remove(long id) throws IOException {
        Ordered process = find(id);
        ordered.remove(id);
        return process;
    }

    static IOException lostException() {
        return new IOException("the supervisor is gone");
    }
}
