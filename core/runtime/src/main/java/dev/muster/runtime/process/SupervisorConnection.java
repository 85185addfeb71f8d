package dev.muster.runtime.process;

import dev.muster.runtime.threads.Daemon;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/** Speaks with the native supervisor over a socket, in the records of {@code supervisor.h}. One thread reads. */
public final class SupervisorConnection implements ProcessSupervisor {

    private final DataInputStream in;
    private final OutputStream out;
    private final CallerContext caller;
    private final Path program;
    private final StartedProcesses processes;
    private final LauncherEventQueue events = new LauncherEventQueue();
    private final AtomicLong ids = new AtomicLong();
    /** Not held by the reader: whoever writes may wait for it. */
    private final Object writing = new Object();

    private volatile boolean isLost;
    private volatile CompletableFuture<LockAnswer> lock = new CompletableFuture<>();

    private SupervisorConnection(
            DataInputStream in, OutputStream out, CallerContext caller, Path program, LongSupplier nanoClock) {
        this.in = in;
        this.out = out;
        this.caller = caller;
        this.program = program;
        this.processes = new StartedProcesses(caller.variables(), nanoClock);
    }

    /**
     * The conversation at descriptor 0, where the supervisor has started this JVM. Not as a channel, which an interrupt of its thread
     * would close.
     *
     * @param program the supervisor's own
     * @throws IOException nobody there speaks this protocol
     */
    public static SupervisorConnection inherited(Path program, LongSupplier nanoClock) throws IOException {
        System.setIn(InputStream.nullInputStream());
        return open(
                new FileInputStream(FileDescriptor.in),
                new FileOutputStream(FileDescriptor.in),
                program,
                nanoClock,
                caller -> caller);
    }

    /**
     * Begins the conversation.
     *
     * @param corrected what the supervisor says of the caller, as it is
     * @throws IOException nobody there speaks this protocol
     */
    static SupervisorConnection open(
            InputStream input,
            OutputStream output,
            Path program,
            LongSupplier nanoClock,
            UnaryOperator<CallerContext> corrected)
            throws IOException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(input));
        output.write(CallerContext.ready().bytes());
        CallerContext caller = corrected.apply(CallerContext.of(SupervisorMessage.read(in)));
        SupervisorConnection connection = new SupervisorConnection(in, output, caller, program, nanoClock);
        Daemon.start("supervisor", connection::read);
        return connection;
    }

    @Override
    public CallerContext caller() {
        return caller;
    }

    @Override
    public Path program() {
        return program;
    }

    @Override
    public void listen(SupervisorListener listener) {
        events.listen(listener);
    }

    @Override
    public StartedProcess start(ProcessRequest request, ProcessListener listener) throws IOException {
        long id = ids.incrementAndGet();
        SupervisorMessage order;
        try {
            order = request.order(id);
        } catch (IllegalArgumentException zeroByte) {
            throw new IOException(zeroByte.getMessage(), zeroByte);
        }
        CompletableFuture<StartedProcess> started = processes.expect(id, request, listener);
        send(order);
        return StartedProcesses.await(started);
    }

    @Override
    public void signal(long id, int number, SignalScope scope) {
        send(new SupervisorMessage("signal")
                .with("id", id)
                .with("number", number)
                .withFlag("ranks", scope == SignalScope.RANKS));
    }

    @Override
    public void stop(StopOrder order) {
        events.ordered(order);
        send(new SupervisorMessage("stop")
                .with("sequence", order.sequence())
                .with("grace", order.grace().toMillis())
                .withFlag("all", order.toAll())
                .withAll("only", order.only()));
    }

    @Override
    public void release(long id) {
        send(new SupervisorMessage("release").with("id", id));
    }

    @Override
    public void settings(SupervisorSettings settings) {
        send(new SupervisorMessage("settings")
                .with("grace", settings.grace().toMillis())
                .with("code", settings.codeAfterTerm())
                .withFlag("all", settings.toAll())
                .withPath("dir", settings.directory())
                .withPath("log", settings.terminationLog()));
    }

    @Override
    public void runs(String plugin) {
        send(new SupervisorMessage("name").with("text", plugin));
    }

    @Override
    public void taken(int signal) {
        send(new SupervisorMessage("taken"));
    }

    @Override
    public void caught(int signal) {
        send(new SupervisorMessage("caught").with("number", signal));
    }

    @Override
    public void reply(long connection, String text, boolean isLast) {
        send(new SupervisorMessage("reply")
                .with("connection", connection)
                .with("text", text)
                .withFlag("last", isLast));
    }

    @Override
    public LockAnswer lock(String job, String node, Duration grace) throws IOException {
        CompletableFuture<LockAnswer> answer = new CompletableFuture<>();
        lock = answer;
        if (isLost) {
            throw StartedProcesses.gone();
        }
        UUID file = UUID.nameUUIDFromBytes((job + "\n" + node).getBytes(StandardCharsets.UTF_8));
        send(new SupervisorMessage("lock")
                .with("text", job)
                .with("file", file.toString())
                .with("grace", grace.toMillis()));
        return StartedProcesses.await(answer);
    }

    @Override
    public void verdict(int code) {
        send(new SupervisorMessage("verdict").with("code", code));
    }

    private void send(SupervisorMessage order) {
        byte[] bytes = order.bytes();
        synchronized (writing) {
            try {
                out.write(bytes);
            } catch (IOException gone) {
                // The reader meets the end, too, and tells everybody.
                return;
            }
        }
    }

    private void read() {
        try {
            while (true) {
                heard(SupervisorMessage.read(in));
            }
        } catch (IOException | RuntimeException overOrNonsense) {
            lost();
        }
    }

    private void lost() {
        isLost = true;
        processes.lost();
        lock.completeExceptionally(StartedProcesses.gone());
        events.lost();
    }

    private void heard(SupervisorMessage event) throws IOException {
        switch (event.kind()) {
            case "started" -> processes.started(event);
            case "failed" -> processes.failed(event);
            case "ended" -> processes.ended(event);
            case "locked" -> locked(new LockAnswer(true, 0, Duration.ZERO));
            case "busy" -> locked(busy(event));
            default -> events.heard(event);
        }
    }

    private static LockAnswer busy(SupervisorMessage event) throws IOException {
        return new LockAnswer(false, event.number("pid"), Duration.ofMillis(event.number("grace")));
    }

    private void locked(LockAnswer answer) {
        lock.complete(answer);
    }
}
