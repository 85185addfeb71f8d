package dev.muster.runtime.process;

import dev.muster.runtime.threads.Daemon;
import java.io.BufferedInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/**
 * The connection to the native supervisor, which starts, signals, reaps and stops all processes of a launcher. Any thread may call it. Only
 * {@link #start} and {@link #lock} wait for an answer, which comes at once. Messages are the records of {@code supervisor.h}.
 */
public final class ProcessSupervisor {

    /** The number of a stop whose events nobody needs. */
    private static final long UNHEARD = Long.MAX_VALUE;

    private final InputStream in;
    private final OutputStream out;
    private final CallerContext caller;
    private final Path program;
    private final StartedProcesses processes;
    private final LauncherEventQueue events = new LauncherEventQueue();
    /** Numbers of processes and of stop orders. */
    private final AtomicLong ids = new AtomicLong();

    /** The reader never takes this lock: a writer may block on the reader. */
    private final Object writing = new Object();

    private volatile boolean isAbandoned;
    private final ControlSocket control;
    private final JobLock lock;

    /**
     * A process that runs.
     *
     * @param id its id at the supervisor
     * @param pid also the id of its process group and session
     */
    public record StartedProcess(long id, long pid) {}

    private ProcessSupervisor(
            InputStream in,
            OutputStream out,
            CallerContext told,
            CallerContext caller,
            Path program,
            LongSupplier nanoClock) {
        this.in = in;
        this.out = out;
        this.lock = new JobLock(this::send, told.pid());
        this.caller = caller;
        this.control = new ControlSocket(told.pid(), this::onRequest);
        this.program = program;
        this.processes = new StartedProcesses(nanoClock);
    }

    /**
     * The connection at descriptor 0 if the supervisor has started this JVM. It is not a channel, since an interrupt would close a channel.
     *
     * @param program path of the supervisor
     * @throws IOException the other end does not speak this protocol
     */
    public static ProcessSupervisor inherited(Path program, LongSupplier nanoClock) throws IOException {
        System.setIn(InputStream.nullInputStream());
        return open(
                new FileInputStream(FileDescriptor.in),
                new FileOutputStream(FileDescriptor.in),
                program,
                nanoClock,
                caller -> caller);
    }

    /**
     * Opens a connection.
     *
     * @param corrected corrects what the supervisor tells about the caller
     * @throws IOException the other end does not speak this protocol
     */
    static ProcessSupervisor open(
            InputStream input,
            OutputStream output,
            Path program,
            LongSupplier nanoClock,
            UnaryOperator<CallerContext> corrected)
            throws IOException {
        InputStream in = new BufferedInputStream(input);
        output.write(CallerContext.ready().bytes());
        CallerContext told = CallerContext.of(SupervisorMessage.read(in));
        ProcessSupervisor connection =
                new ProcessSupervisor(in, output, told, corrected.apply(told), program, nanoClock);
        Daemon.start("supervisor", connection::read);
        return connection;
    }

    public CallerContext caller() {
        return caller;
    }

    /** The absolute path of the supervisor's program, which also starts hosted ranks. */
    public Path program() {
        return program;
    }

    /** Sets the listener for events about the whole launcher. It first gets earlier events. */
    public void listen(Consumer<SupervisorEvent> listener) {
        events.listen(listener);
    }

    /**
     * Starts a process as the leader of a session of its own.
     *
     * @param listener gets the end, also if the program could not be executed
     * @throws IOException the system creates no process, or the supervisor is gone
     */
    public StartedProcess start(ProcessRequest request, Consumer<ProcessEnd> listener) throws IOException {
        long id = ids.incrementAndGet();
        SupervisorMessage order;
        try {
            order = request.order(id);
        } catch (IllegalArgumentException zeroByte) {
            throw new IOException(zeroByte.getMessage(), zeroByte);
        }
        CompletableFuture<StartedProcess> started = processes.expect(id, listener);
        send(order);
        return StartedProcesses.await(started);
    }

    /** Sends a signal at once. SIGCONT follows any signal but SIGKILL. An ended process gets no signal. */
    public void signal(long id, int number, SignalScope scope) {
        send(new SupervisorMessage("signal")
                .with("id", id)
                .with("number", number)
                .withFlag("ranks", scope == SignalScope.RANKS)
                .withFlag("group", scope == SignalScope.GROUP));
    }

    /**
     * Stops processes and all their descendants.
     *
     * @param only the processes to stop; empty: all, and orphans of unknown origin
     * @param grace the time between SIGTERM and SIGKILL; it starts now
     * @param toAll whether SIGTERM goes to all at once, instead of to the leaders first
     * @return the number of this order, which its events carry; a later order has a higher one
     */
    public long stop(Set<Long> only, Duration grace, boolean toAll) {
        long sequence = ids.incrementAndGet();
        sendStop(sequence, only, grace, toAll);
        return sequence;
    }

    /** Kills a process and all its descendants at once, without events. */
    public void kill(long id) {
        events.mute(id);
        sendStop(UNHEARD, Set.of(id), Duration.ZERO, true);
    }

    private void sendStop(long sequence, Set<Long> only, Duration grace, boolean toAll) {
        send(new SupervisorMessage("stop")
                .with("sequence", sequence)
                .with("grace", grace.toMillis())
                .withFlag("all", toAll)
                .withAll("only", only));
    }

    /** Lets a host of ranks be stopped: the ranks of other nodes have ended too. */
    public void release(long id) {
        send(new SupervisorMessage("release").with("id", id));
    }

    /**
     * Sets what happens if this JVM dies: the supervisor stops all, ends with {@code code} after SIGTERM, and removes the directory.
     *
     * @param whenLost the exit code after the death of outer or inner
     */
    public void configure(
            Duration grace, boolean toAll, int code, int whenLost, Optional<Path> directory, Optional<Path> log) {
        send(new SupervisorMessage("settings")
                .with("grace", grace.toMillis())
                .with("code", code)
                .with("lost", whenLost)
                .withFlag("all", toAll)
                .withPath("dir", directory)
                .withPath("log", log));
    }

    /** Names the plugin whose code runs in this JVM now; empty: only the launcher's own. */
    public void namePlugin(String plugin) {
        send(new SupervisorMessage("name").with("text", plugin));
    }

    /** The launcher obeys a stop that a signal or {@code muster stop} asked for: the supervisor need not begin it. */
    public void confirmStop() {
        send(new SupervisorMessage("taken"));
    }

    /**
     * The launcher got a signal by another way than the supervisor, which then reports it like any other.
     *
     * @param grace of that stop; empty: the launcher's own
     */
    public void reportSignal(int signal, Optional<Duration> grace) {
        SupervisorMessage order = new SupervisorMessage("caught").with("number", signal);
        grace.ifPresent(time -> order.with("grace", time.toMillis()));
        send(order);
    }

    /** Begins to accept requests such as {@code muster stop}. */
    public void acceptRequests() {
        control.listen(path -> send(new SupervisorMessage("socket").with("text", path)));
    }

    /** The socket on which requests are answered. */
    public ControlSocket control() {
        return control;
    }

    /** Handles a line in the same way as one from the socket, without an answer. */
    void request(String line) {
        onRequest(ControlSocket.NOBODY, line);
    }

    private void onRequest(long connection, String line) {
        events.pass(new SupervisorEvent.Requested(connection, line));
    }

    public JobLock lock() {
        return lock;
    }

    /** The launcher ends with this code as soon as this JVM has ended. */
    public void setExitCode(int code) {
        control.end(code);
        send(new SupervisorMessage("verdict").with("code", code));
    }

    private void send(SupervisorMessage order) {
        byte[] bytes = order.bytes();
        synchronized (writing) {
            try {
                out.write(bytes);
            } catch (IOException gone) {
                // The reader sees the end too, and reports it.
                return;
            }
        }
    }

    private void read() {
        try {
            while (true) {
                handle(SupervisorMessage.read(in));
            }
        } catch (IOException | RuntimeException overOrNonsense) {
            if (!isAbandoned) {
                onLost();
            }
        }
    }

    /** The launcher closes the connection and ends: the loss of the supervisor is not reported. */
    void abandon() {
        isAbandoned = true;
    }

    private void onLost() {
        processes.onLost();
        lock.onLost();
        events.pass(new SupervisorEvent.Lost());
    }

    private void handle(SupervisorMessage event) throws IOException {
        switch (event.kind()) {
            case "started" -> processes.onStarted(event);
            case "failed" -> processes.onFailed(event);
            case "ended" -> processes.onEnded(event);
            case "locked" -> lock.onAnswer(true);
            case "busy" -> lock.onAnswer(false);
            default -> events.handle(event);
        }
    }
}
