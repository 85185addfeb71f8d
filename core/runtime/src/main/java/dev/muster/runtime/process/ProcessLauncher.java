package dev.muster.runtime.process;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.apache.commons.exec.CommandLine;
import org.apache.commons.exec.DefaultExecutor;

/**
 * Starts processes, each as the leader of a session and process group of its own. {@code setsid} makes the session and then
 * becomes the program, so the pid is the program's.
 */
public final class ProcessLauncher implements AutoCloseable {

    private static final List<String> SETSID_PLACES =
            List.of("/usr/bin/setsid", "/bin/setsid", "/usr/local/bin/setsid");

    private final InheritedEnvironment inherited;
    private final RunMarker marker;
    private final List<String> prefix = new ArrayList<>();
    private final boolean passStdin;
    private final ExitWatch exits = new ExitWatch();
    private final LongConsumer onFree;

    /**
     * @param marker carried by every process of the run
     * @param onFree told, on another thread, as soon as the number of a process is free
     * @throws MusterException when this machine has no {@code setsid}
     */
    public ProcessLauncher(
            InheritedEnvironment inherited,
            RunMarker marker,
            IgnoredSignals ignored,
            OpenFiles files,
            LongConsumer onFree) {
        this.onFree = onFree;
        this.inherited = inherited;
        this.marker = marker;
        prefix.addAll(ignored.commandPrefix());
        prefix.add(setsid());
        prefix.addAll(files.commandPrefix());
        passStdin = !StandardInput.isTerminal();
    }

    /**
     * Starts a process.
     *
     * @param onEnd called once, on another thread, when it has ended
     * @throws IOException when the operating system refuses
     */
    public StartedProcess start(ProcessRequest request, Consumer<Termination> onEnd) throws IOException {
        return start(request, passStdin, onEnd);
    }

    /**
     * Starts a command that only asks: it gets nothing of the launcher's standard input.
     *
     * @param onEnd called once, on another thread, when it has ended
     * @throws IOException when the operating system refuses
     */
    public StartedProcess startWithoutInput(ProcessRequest request, Consumer<Termination> onEnd) throws IOException {
        return start(request, false, onEnd);
    }

    /** Nothing more is started. Ends of what still runs are told all the same. */
    @Override
    public void close() {
        exits.close();
    }

    private StartedProcess start(ProcessRequest request, boolean hasInput, Consumer<Termination> onEnd)
            throws IOException {
        Process process = started(new Starter(request, hasInput));
        exits.on(process, ended -> {
            onFree.accept(ended.pid());
            onEnd.accept(Termination.ofExitValue(ended.exitValue()));
        });
        return new StartedProcess(process.pid(), process.getInputStream());
    }

    /** The JDK makes a thread for every process, after it has started it: what runs then is found by its marker and ended. */
    private static Process started(Starter starter) throws IOException {
        try {
            return starter.start();
        } catch (OutOfMemoryError noThread) {
            throw new IOException(
                    "no thread can be made for it: a limit is reached (ulimit -u, or pids.max of the container)",
                    noThread);
        }
    }

    /**
     * A process that runs.
     *
     * @param pid also its group and session
     * @param output its output, when the request named no file for it
     */
    public record StartedProcess(long pid, InputStream output) {}

    static String setsid() {
        for (String place : SETSID_PLACES) {
            if (Files.isExecutable(Path.of(place))) {
                return place;
            }
        }
        throw new MusterException(
                ExitCode.UNAVAILABLE,
                "setsid is missing: ranks must be started in sessions of their own. Install util-linux (or busybox)");
    }

    /**
     * Of Commons Exec only the method through which it starts processes is used: its streams, watchdogs and exit codes are
     * not exact, nor is its command line, which trims arguments.
     */
    private final class Starter extends DefaultExecutor {

        private final ProcessRequest request;
        private final boolean hasInput;
        private final List<String> words;

        @SuppressWarnings("deprecation") // The builder that replaces the constructor cannot build a subclass.
        Starter(ProcessRequest request, boolean hasInput) {
            this.hasInput = hasInput;
            this.request = request;
            words = new ArrayList<>(prefix);
            words.addAll(request.command());
        }

        Process start() throws IOException {
            return launch(new CommandLine(words.get(0)), request.set(), request.directory());
        }

        @Override
        protected Process launch(CommandLine command, Map<String, String> set, Path directory) throws IOException {
            ProcessBuilder builder = new ProcessBuilder(words);
            Map<String, String> environment = builder.environment();
            inherited.applyTo(environment);
            environment.keySet().removeAll(request.remove());
            environment.putAll(set);
            environment.put(RunMarker.VARIABLE, marker.value());
            builder.directory(directory.toFile());
            builder.redirectInput(hasInput ? ProcessBuilder.Redirect.INHERIT : StandardInput.NOTHING);
            if (request.output().isPresent()) {
                // Both streams get the same file by name: merging them would cost a pipe more for each process.
                File output = request.output().get().toFile();
                builder.redirectOutput(ProcessBuilder.Redirect.appendTo(output));
                builder.redirectError(ProcessBuilder.Redirect.appendTo(output));
            } else {
                builder.redirectErrorStream(true);
            }
            return Spawning.of(builder);
        }
    }
}
