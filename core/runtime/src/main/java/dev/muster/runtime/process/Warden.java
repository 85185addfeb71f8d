package dev.muster.runtime.process;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A shell that stands beside the launcher. It sends the signals, since Java cannot signal process groups, and it is a dead
 * man's switch: when the launcher dies without a word, it ends the processes as the launcher would have done. It is replaced
 * when it dies itself.
 */
public final class Warden implements AutoCloseable {

    private static final String SCRIPT = "warden.sh";
    private static final String ORDERS = "MUSTER_WARDEN";
    private static final String DIRECTORY = "MUSTER_WARDEN_DIRECTORY";
    private static final String FIRST = "MUSTER_WARDEN_FIRST";
    private static final long TICK_MILLIS = 100;

    private final RunMarker marker;
    private final Duration grace;
    private final Set<String> forerunners;
    private final Optional<Path> directory;
    private final Consumer<String> warn;
    private final Set<Long> adopted = new LinkedHashSet<>();
    private @Nullable Process shell;
    private boolean closed;

    /**
     * @param grace between TERM and KILL when the launcher has died
     * @param forerunners variables by which those are known who get TERM, and the grace period, before all others when the
     *     launcher has died
     * @param directory removed with its content when the launcher has died and all processes have ended
     * @param warn told when the shell had to be replaced
     */
    public Warden(
            RunMarker marker,
            Duration grace,
            Set<String> forerunners,
            Optional<Path> directory,
            Consumer<String> warn) {
        this.marker = marker;
        this.grace = grace;
        this.forerunners = Set.copyOf(forerunners);
        this.directory = directory;
        this.warn = warn;
    }

    /** Takes a process group under its care. */
    public synchronized void adopt(long pid) {
        if (adopted.add(requireForeign(pid))) {
            tell("adopt " + pid);
        }
    }

    /** Sends a signal to every process of these groups; any but KILL is followed by CONT, for stopped ones. */
    public void signalGroups(String signal, Collection<Long> groups) {
        signal("groups", signal, groups);
    }

    /** Sends a signal to these processes only. */
    public void signalProcesses(String signal, Collection<Long> pids) {
        signal("processes", signal, pids);
    }

    /** The run is over; nothing is ended any more. */
    @Override
    public synchronized void close() {
        closed = true;
        if (shell != null) {
            write("quit");
        }
    }

    /** The shell's pid, while there is one. */
    synchronized Optional<Long> pid() {
        return Optional.ofNullable(shell).map(Process::pid);
    }

    /** Leaves the shell as it is left when the launcher dies. */
    synchronized void abandon() throws IOException {
        closed = true;
        current().getOutputStream().close();
    }

    private synchronized void signal(String verb, String signal, Collection<Long> pids) {
        if (!SignalNames.isName(signal)) {
            throw new IllegalArgumentException("no signal is called " + signal);
        }
        if (pids.isEmpty()) {
            return;
        }
        StringBuilder line = new StringBuilder(verb).append(' ').append(signal);
        for (long pid : pids) {
            line.append(' ').append(requireForeign(pid));
        }
        if (!tell(line.toString())) {
            signalWithoutShell(signal, pids);
        }
    }

    /** Only TERM and KILL, and only the leaders: better than nothing when no shell can be started. */
    private static void signalWithoutShell(String signal, Collection<Long> pids) {
        for (long pid : pids) {
            ProcessHandle.of(pid).ifPresent(process -> {
                if (signal.equals("KILL")) {
                    process.destroyForcibly();
                } else if (signal.equals("TERM")) {
                    process.destroy();
                }
            });
        }
    }

    /** Whether the shell was told, a new one if need be. */
    private boolean tell(String line) {
        if (shell == null && !start()) {
            return false;
        }
        return write(line) || (start() && write(line));
    }

    private boolean write(String line) {
        try {
            OutputStream pipe = current().getOutputStream();
            pipe.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
            pipe.flush();
            return true;
        } catch (IOException shellIsGone) {
            return false;
        }
    }

    private Process current() throws IOException {
        if (shell == null) {
            throw new IOException("there is no shell");
        }
        return shell;
    }

    private boolean start() {
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(List.of(ProcessLauncher.setsid(), "/bin/sh", "-c", script(), "warden"));
            Map<String, String> environment = builder.environment();
            // It must not be taken for one of the processes it ends, neither by itself nor by a launcher around this
            // one.
            environment.remove(RunMarker.VARIABLE);
            // Not as arguments, which every user could read.
            environment.put(ORDERS, grace.toMillis() / TICK_MILLIS + " " + marker.value());
            environment.put(FIRST, String.join(" ", forerunners));
            directory.ifPresent(path -> environment.put(DIRECTORY, path.toString()));
            builder.directory(new File("/"));
            builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
            builder.redirectError(ProcessBuilder.Redirect.DISCARD);
            Process started = builder.start();
            shell = started;
            for (long pid : adopted) {
                write("adopt " + pid);
            }
            ExitWatch.on(started, this::lost);
            return true;
        } catch (IOException noShell) {
            shell = null;
            return false;
        }
    }

    private synchronized void lost(Process ended) {
        if (closed || !ended.equals(shell)) {
            return;
        }
        warn.accept(
                start()
                        ? "the warden (pid " + ended.pid() + ") was killed; another one has taken over"
                        : "the warden (pid " + ended.pid()
                                + ") was killed and cannot be replaced; if Muster is killed now,"
                                + " ranks stay behind");
    }

    private static long requireForeign(long pid) {
        if (pid <= 1 || pid == ProcessHandle.current().pid()) {
            throw new IllegalArgumentException("process " + pid + " is not ours to signal");
        }
        return pid;
    }

    private static String script() throws IOException {
        try (InputStream script = Warden.class.getResourceAsStream(SCRIPT)) {
            if (script == null) {
                throw new IOException(SCRIPT + " is not in the jar");
            }
            return new String(script.readAllBytes(), StandardCharsets.US_ASCII);
        }
    }
}
