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
 * The native supervisor: starts, signals, reaps and stops all processes of a launcher. Any thread may call it. Only {@link #start} and
 * {@link #lock} wait for an answer, which comes at once. It is spoken with over a socket, in the records of {@code supervisor.h}.
 */
public final class ProcessSupervisor {

    /** The number of a stop of whose course nobody is told. */
    private static final long UNHEARD = Long.MAX_VALUE;

    private final InputStream in;
    private final OutputStream out;
    private final CallerContext caller;
    private final Path program;
    private final StartedProcesses processes;
    private final LauncherEventQueue events = new LauncherEventQueue();
    /** Of processes, and of orders to stop. */
    private final AtomicLong ids = new AtomicLong();

    /** Not held by the reader: whoever writes may wait for it. */
    private final Object writing = new Object();

    private volatile boolean isAbandoned;
    private final ControlSocket control;
    private final JobLock lock;

    /**
     * A process that runs.
     *
     * @param id by which the supervisor knows it
     * @param pid also its group and session
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
        this.control = new ControlSocket(told.pid(), this::requested);
        this.program = program;
        this.processes = new StartedProcesses(nanoClock);
    }

    /**
     * The conversation at descriptor 0, where the supervisor has started this JVM. Not as a channel, which an interrupt of its thread
     * would close.
     *
     * @param program the supervisor's own
     * @throws IOException nobody there speaks this protocol
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
     * Begins the conversation.
     *
     * @param corrected what the supervisor says of the caller, as it is
     * @throws IOException nobody there speaks this protocol
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

    /** What the caller has given the launcher. */
    public CallerContext caller() {
        return caller;
    }

    /** The absolute path of the supervisor's own program, by which ranks of hosts are started too. */
    public Path program() {
        return program;
    }

    /** Who gets what is no matter of one process, and hears what came before. */
    public void listen(Consumer<SupervisorEvent> listener) {
        events.listen(listener);
    }

    /**
     * Starts a process as the leader of a session of its own.
     *
     * @param listener told how it ended, also where it could not become its program
     * @throws IOException when the system makes no process, or the supervisor is gone
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

    /** Sends a signal at once. Any but SIGKILL is followed by SIGCONT. A process that has ended is not signalled. */
    public void signal(long id, int number, SignalScope scope) {
        send(new SupervisorMessage("signal")
                .with("id", id)
                .with("number", number)
                .withFlag("ranks", scope == SignalScope.RANKS)
                .withFlag("group", scope == SignalScope.GROUP));
    }

    /**
     * Ends processes and all that they have started.
     *
     * @param only these; empty: all, and also what belongs to nobody known
     * @param grace between SIGTERM and SIGKILL, from now on
     * @param toAll whether SIGTERM goes to all at once, and not to leaders first
     * @return the number of this order, by which its course is told; a later order has a higher one
     */
    public long stop(Set<Long> only, Duration grace, boolean toAll) {
        long sequence = ids.incrementAndGet();
        sendStop(sequence, only, grace, toAll);
        return sequence;
    }

    /** Ends a process and all that it has started at once. Nobody is told of that. */
    public void kill(long id) {
        events.kills(id);
        sendStop(UNHEARD, Set.of(id), Duration.ZERO, true);
    }

    private void sendStop(long sequence, Set<Long> only, Duration grace, boolean toAll) {
        send(new SupervisorMessage("stop")
                .with("sequence", sequence)
                .with("grace", grace.toMillis())
                .withFlag("all", toAll)
                .withAll("only", only));
    }

    /** The ranks of other nodes have ended too, so that a host which waits for them may be stopped. */
    public void release(long id) {
        send(new SupervisorMessage("release").with("id", id));
    }

    /**
     * What happens when this JVM dies: it stops all, ends with the code where SIGTERM asked for that, and removes the directory.
     *
     * @param whenLost the code after the death of the supervisor itself
     */
    public void settings(
            Duration grace, boolean toAll, int code, int whenLost, Optional<Path> directory, Optional<Path> log) {
        send(new SupervisorMessage("settings")
                .with("grace", grace.toMillis())
                .with("code", code)
                .with("lost", whenLost)
                .withFlag("all", toAll)
                .withPath("dir", directory)
                .withPath("log", log));
    }

    /** Whose code runs in this JVM now; empty: only the launcher's own. */
    public void runs(String plugin) {
        send(new SupervisorMessage("name").with("text", plugin));
    }

    /** A stop that was asked for by a signal or by {@code muster stop} is being obeyed: the supervisor need not begin it. */
    public void taken() {
        send(new SupervisorMessage("taken"));
    }

    /**
     * The launcher got a signal without the supervisor, which tells of it as of any.
     *
     * @param grace of that stop; empty: the launcher's own
     */
    public void caught(int signal, Optional<Duration> grace) {
        SupervisorMessage order = new SupervisorMessage("caught").with("number", signal);
        grace.ifPresent(time -> order.with("grace", time.toMillis()));
        send(order);
    }

    /** Begins to take requests of others, such as {@code muster stop}. */
    public void takeRequests() {
        control.listen(path -> send(new SupervisorMessage("socket").with("text", path)));
    }

    /** Where requests are answered. */
    public ControlSocket control() {
        return control;
    }

    /** As if somebody had said a line over the socket who waits for no answer. */
    void request(String line) {
        requested(ControlSocket.NOBODY, line);
    }

    private void requested(long connection, String line) {
        events.tell(new SupervisorEvent.Requested(connection, line));
    }

    /** The lock of a part of a job on this machine, and whose job it is. */
    public JobLock lock() {
        return lock;
    }

    /** The launcher ends with this code as soon as this JVM has. */
    public void verdict(int code) {
        control.end(code);
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
            if (!isAbandoned) {
                lost();
            }
        }
    }

    /** This launcher ends the conversation, and itself: nobody is told that the supervisor is gone. */
    void abandon() {
        isAbandoned = true;
    }

    private void lost() {
        processes.lost();
        lock.lost();
        events.tell(new SupervisorEvent.Lost());
    }

    private void heard(SupervisorMessage event) throws IOException {
        switch (event.kind()) {
            case "started" -> processes.started(event);
            case "failed" -> processes.failed(event);
            case "ended" -> processes.ended(event);
            case "locked" -> lock.answered(true);
            case "busy" -> lock.answered(false);
            default -> events.heard(event);
        }
    }
}
