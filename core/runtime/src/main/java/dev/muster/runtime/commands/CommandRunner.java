package dev.muster.runtime.commands;

import dev.muster.runtime.config.Environment;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.errors.StoppedException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.commons.exec.CommandLine;
import org.apache.commons.exec.DefaultExecutor;
import org.apache.commons.exec.ExecuteException;
import org.apache.commons.exec.ExecuteResultHandler;
import org.apache.commons.exec.PumpStreamHandler;
import org.jspecify.annotations.Nullable;

/** Runs commands that only ask for a fact, such as the version of a program, and end at once. */
public record CommandRunner(CommandContext context) {

    /** The exit code for a command that took too long. */
    public static final int TOO_LATE = 124;

    /** The exit code for a command that the system does not execute. */
    public static final int NOT_EXECUTABLE = 126;

    /** The longest answer that is read, in bytes. */
    private static final int LIMIT = 64 * 1024;

    private static final Duration LAST_OUTPUT = Duration.ofSeconds(1);

    /**
     * What a command answered.
     *
     * @param exitCode its own, 128+n for signal n, or 127, 126 and 124 for a command that is not there, cannot be executed or
     *     took too long
     * @param output what it wrote to standard output, at most 64 KiB
     */
    public record Answer(int exitCode, String output) {}

    /** The same with another environment. */
    public CommandRunner with(Environment environment) {
        return new CommandRunner(context.with(environment));
    }

    /**
     * Runs a command and waits for its answer.
     *
     * @throws StoppedException when the launcher is told to stop before the answer; then the command has been ended
     */
    public Answer ask(List<String> command, Duration deadline) {
        try {
            return new Asking(context.resolved(command)).ask(deadline);
        } catch (MusterException missing) {
            return new Answer(missing.exitCode().code(), "");
        } catch (IOException refused) {
            return new Answer(NOT_EXECUTABLE, "");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return new Answer(TOO_LATE, "");
        }
    }

    /** Starts the process itself, since the command line of Commons Exec trims arguments. */
    private final class Asking extends DefaultExecutor implements ExecuteResultHandler {

        private final List<String> words;
        private final Limited output = new Limited();
        private final CompletableFuture<Integer> end = new CompletableFuture<>();
        private volatile @Nullable Process process;

        @SuppressWarnings("deprecation") // The builder that replaces the constructor cannot build a subclass.
        Asking(List<String> words) {
            this.words = words;
        }

        Answer ask(Duration deadline) throws IOException, InterruptedException {
            PumpStreamHandler streams = new PumpStreamHandler(output, OutputStream.nullOutputStream());
            streams.setStopTimeout(LAST_OUTPUT);
            setStreamHandler(streams);
            setExitValues(null);
            execute(new CommandLine(words.get(0)), this);
            return context.await(end, deadline)
                    .map(code -> new Answer(code, output.text()))
                    .orElseGet(this::late);
        }

        /** Takes the process's own code. Commons Exec gives another one if the output is still open. */
        @Override
        public void onProcessComplete(int codeOfExec) {
            Process ended = process;
            end.complete(ended == null ? NOT_EXECUTABLE : ended.exitValue());
        }

        @Override
        public void onProcessFailed(ExecuteException problem) {
            onProcessComplete(NOT_EXECUTABLE);
        }

        /** Kills the command with its children. */
        private Answer late() {
            Process late = process;
            if (late != null) {
                late.descendants().forEach(ProcessHandle::destroyForcibly);
                late.destroyForcibly();
            }
            if (context.areToStop().getAsBoolean()) {
                throw new StoppedException();
            }
            return new Answer(TOO_LATE, "");
        }

        @Override
        protected Process launch(CommandLine command, Map<String, String> variables, Path directory)
                throws IOException {
            ProcessBuilder builder =
                    new ProcessBuilder(words).directory(context.directory().toFile());
            builder.environment().clear();
            builder.environment().putAll(context.environment().variables());
            Process started = builder.start();
            process = started;
            return started;
        }
    }

    /** Keeps the beginning of what is written to it. */
    private static final class Limited extends ByteArrayOutputStream {

        @Override
        public synchronized void write(byte[] bytes, int offset, int length) {
            super.write(bytes, offset, Math.min(length, LIMIT - size()));
        }

        synchronized String text() {
            return toString(StandardCharsets.UTF_8);
        }
    }
}
