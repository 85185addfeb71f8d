package dev.muster.runtime.commands;

import dev.muster.runtime.output.OutputPipe;
import dev.muster.runtime.process.ProcessRequest;
import dev.muster.runtime.process.ProcessSupervisor;
import dev.muster.runtime.process.SignalScope;
import dev.muster.runtime.process.Termination;
import dev.muster.runtime.threads.Daemon;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** A command that the supervisor starts, while the caller waits for it. */
public final class SupervisedCommand implements AutoCloseable {

    private static final Duration LAST_OUTPUT = Duration.ofSeconds(1);

    private final ProcessSupervisor supervisor;
    private final CommandContext context;
    private final int input;
    private final OutputPipe output;
    private final OutputPipe errors;
    private final CompletableFuture<Termination> end = new CompletableFuture<>();
    private long id;

    /** A command without input. */
    public SupervisedCommand(ProcessSupervisor supervisor, CommandContext context) throws IOException {
        this(supervisor, context, ProcessRequest.NO_INPUT);
    }

    /**
     * Opens the pipes, and starts nothing yet.
     *
     * @param input what it reads, as {@link ProcessRequest} has it
     * @throws IOException when there can be no pipe
     */
    public SupervisedCommand(ProcessSupervisor supervisor, CommandContext context, int input) throws IOException {
        this.supervisor = supervisor;
        this.context = context;
        this.input = input;
        output = OutputPipe.open();
        errors = OutputPipe.open();
    }

    /** @throws IOException when the system refuses to start it */
    public void start(List<String> command) throws IOException {
        id = supervisor
                .start(request(command), ended -> end.complete(ended.termination()))
                .id();
        output.closeWriteEnd();
        errors.closeWriteEnd();
    }

    private ProcessRequest request(List<String> command) {
        return new ProcessRequest(
                command,
                context.environment().set(),
                context.environment().removed(),
                context.directory(),
                output.target(),
                Optional.of(errors.target()),
                input,
                "",
                Optional.empty());
    }

    /** What the reader makes of its standard output, on another thread from now on. */
    public <T> CompletableFuture<T> output(Function<InputStream, T> reader) {
        return read(output, reader);
    }

    public <T> CompletableFuture<T> errors(Function<InputStream, T> reader) {
        return read(errors, reader);
    }

    private static <T> CompletableFuture<T> read(OutputPipe pipe, Function<InputStream, T> reader) {
        CompletableFuture<T> read = new CompletableFuture<>();
        Daemon.start("answer", () -> read.complete(reader.apply(pipe.stream())));
        return read;
    }

    /** How it ended; empty when it is late, or the launcher is told to stop. */
    public Optional<Termination> await(Duration deadline) throws InterruptedException {
        return context.await(end, deadline);
    }

    public boolean hasEnded() {
        return end.isDone();
    }

    /** Sends a signal to it alone. */
    public void signal(int number) {
        supervisor.signal(id, number, SignalScope.LEADER);
    }

    /** Ends it with all that it has started, and waits a moment for its own end. */
    public void kill() {
        supervisor.kill(id);
        end.completeOnTimeout(Termination.signalled(9), LAST_OUTPUT.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    /** What was read, after the command ended. It waits only a moment: processes left behind may hold the output open. */
    public static <T> T last(CompletableFuture<T> read, T none) {
        return read.completeOnTimeout(none, LAST_OUTPUT.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    @Override
    public void close() throws IOException {
        output.close();
        errors.close();
    }
}
