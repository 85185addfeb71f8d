package dev.muster.runtime.process;

import dev.muster.runtime.process.ProcessSupervisor.StartedProcess;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** The processes that were ordered and have not ended, by their ids. */
final class StartedProcesses {

    private final SortedMap<String, String> callers;
    private final LongSupplier nanoClock;
    private final Map<Long, Ordered> ordered = new HashMap<>();
    private boolean isLost;

    /** @param callers the caller's environment */
    StartedProcesses(SortedMap<String, String> callers, LongSupplier nanoClock) {
        this.callers = callers;
        this.nanoClock = nanoClock;
    }

    private record Ordered(
            ProcessRequest request, Consumer<ProcessEnd> listener, CompletableFuture<StartedProcess> started) {}

    /** A process is about to be ordered. */
    synchronized CompletableFuture<StartedProcess> expect(
            long id, ProcessRequest request, Consumer<ProcessEnd> listener) throws IOException {
        if (isLost) {
            throw gone();
        }
        CompletableFuture<StartedProcess> started = new CompletableFuture<>();
        ordered.put(id, new Ordered(request, listener, started));
        return started;
    }

    /** Waits for an answer. Code of a plugin may interrupt this thread: that changes nothing. */
    static <T> T await(CompletableFuture<T> answer) throws IOException {
        try {
            return answer.join();
        } catch (CompletionException refused) {
            Throwable cause = Objects.requireNonNullElse(refused.getCause(), refused);
            throw new IOException(String.valueOf(cause.getMessage()), cause);
        }
    }

    void started(SupervisorMessage event) throws IOException {
        long id = event.number("id");
        find(id).started().complete(new StartedProcess(id, event.number("pid")));
    }

    void failed(SupervisorMessage event) throws IOException {
        long id = event.number("id");
        StartFailure failure = new StartFailure((int) event.number("error"), event.text("text"));
        Ordered process = remove(id);
        if (!process.started().completeExceptionally(new IOException(failure.text()))) {
            process.listener()
                    .accept(new ProcessEnd(
                            failure.termination(process.request(), callers), nanoClock.getAsLong(), Optional.empty()));
        }
    }

    void ended(SupervisorMessage event) throws IOException {
        Ordered process = remove(event.number("id"));
        process.listener()
                .accept(new ProcessEnd(
                        Termination.ofWaitStatus((int) event.number("status")),
                        event.number("time"),
                        Optional.of(ResourceUse.of(event))));
    }

    /** Nothing is told of any of them any more. */
    synchronized void lost() {
        isLost = true;
        ordered.values().forEach(process -> process.started().completeExceptionally(gone()));
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

    static IOException gone() {
        return new IOException("the supervisor is gone");
    }
}
