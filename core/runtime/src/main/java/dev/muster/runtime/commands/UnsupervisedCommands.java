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
import org.apache.commons.exec.CommandLine;
import org.apache.commons.exec.DefaultExecuteResultHandler;
import org.apache.commons.exec.DefaultExecutor;
import org.apache.commons.exec.ExecuteWatchdog;
import org.apache.commons.exec.PumpStreamHandler;
import org.jspecify.annotations.Nullable;

/** Commands where there is no run, as in {@code muster plan}: the JVM starts them itself. */
public final class UnsupervisedCommands implements CommandRunner {

    private static final Duration LOOK = Duration.ofMillis(50);
    private static final Duration LAST_OUTPUT = Duration.ofSeconds(1);

    private final CommandContext context;

    public UnsupervisedCommands(CommandContext context) {
        this.context = context;
    }

    @Override
    public CommandRunner with(Environment environment) {
        return new UnsupervisedCommands(context.with(environment));
    }

    @Override
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

    /** The command line of Commons Exec trims arguments, and is not used. */
    private final class Asking extends DefaultExecutor {

        private final List<String> words;
        private final Limited output = new Limited();
        private volatile @Nullable Process process;

        @SuppressWarnings("deprecation") // The builder that replaces the constructor cannot build a subclass.
        Asking(List<String> words) {
            this.words = words;
        }

        Answer ask(Duration deadline) throws IOException, InterruptedException {
            ExecuteWatchdog watchdog =
                    ExecuteWatchdog.builder().setTimeout(deadline).get();
            PumpStreamHandler streams = new PumpStreamHandler(output, OutputStream.nullOutputStream());
            streams.setStopTimeout(LAST_OUTPUT);
            setStreamHandler(streams);
            setWatchdog(watchdog);
            setExitValues(null);
            DefaultExecuteResultHandler end = new DefaultExecuteResultHandler();
            execute(new CommandLine(words.get(0)), end);
            while (!end.hasResult()
                    && !watchdog.killedProcess()
                    && !context.areToStop().getAsBoolean()) {
                end.waitFor(LOOK);
            }
            return end.hasResult() && !watchdog.killedProcess() ? answer(end) : late();
        }

        /** Its own code: that of Commons Exec says something else where its output is still open. */
        private Answer answer(DefaultExecuteResultHandler end) throws IOException {
            Process ended = process;
            if (ended == null) {
                throw new IOException(end.getException());
            }
            return new Answer(ended.exitValue(), output.text());
        }

        /** With its children: the watchdog knows none, and asks the command itself only to end. */
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
