package dev.muster.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A started command, whose output goes to files. */
final class Launched {

    private final List<String> command;
    private final Process process;
    private final Path output;
    private final Path errors;
    private final long startedAt;

    Launched(List<String> command, Process process, Path output, Path errors, long startedAt) {
        this.command = command;
        this.process = process;
        this.output = output;
        this.errors = errors;
        this.startedAt = startedAt;
    }

    long pid() {
        return process.pid();
    }

    /** The launcher's JVM. */
    long jvm() {
        return Processes.jvm(process.pid());
    }

    /** Inner: the parent of the JVM and of the ranks. */
    long inner() {
        return ProcessHandle.of(jvm())
                .flatMap(ProcessHandle::parent)
                .map(ProcessHandle::pid)
                .orElseThrow();
    }

    /** Kills the JVM. */
    Launched killJvm() {
        Processes.signal("KILL", jvm());
        return this;
    }

    boolean isRunning() {
        return process.isAlive();
    }

    Launched signal(String name) {
        Processes.signal(name, process.pid());
        return this;
    }

    /** Waits until standard error has a text. */
    Launched awaitMessage(String text) {
        return awaitText(Await.LONG, errors, text);
    }

    /** Waits until standard output has a text. */
    Launched awaitOutput(String text) {
        return awaitOutput(Await.LONG, text);
    }

    /** The same with another limit, for output that takes long. */
    Launched awaitOutput(Duration limit, String text) {
        return awaitText(limit, output, text);
    }

    /** What it has printed on standard error so far. */
    String messages() {
        return text(errors);
    }

    /** Waits for the end, and kills the command if it does not end in time. */
    Result await() {
        return await(Await.LONG);
    }

    Result await(Duration limit) {
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
                throw new AssertionError("still running after " + limit.toMillis() + " ms: " + result());
            }
            return result();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting", interrupted);
        }
    }

    private Result result() {
        Duration duration = Duration.ofNanos(System.nanoTime() - startedAt);
        return new Result(process.exitValue(), read(output), read(errors), duration);
    }

    private Launched awaitText(Duration limit, Path file, String text) {
        Await.until(
                limit,
                () -> "\"" + text + "\" was printed; there was:\n" + text(output) + text(errors),
                () -> text(file).contains(text) || ended(file, text));
        return this;
    }

    private boolean ended(Path file, String text) {
        if (!process.isAlive() && !text(file).contains(text)) {
            throw new AssertionError("ended before it printed \"" + text + "\": " + result());
        }
        return false;
    }

    /** The command, its exit code if it has ended, and its output so far. */
    @Override
    public String toString() {
        String end = process.isAlive() ? "runs" : "ended with " + process.exitValue();
        return "%s (pid %d, %s)%n--- standard output%n%s%n--- standard error%n%s"
                .formatted(
                        Result.shortened(String.join(" ", command), Scene.COMMAND_SHOWN),
                        process.pid(),
                        end,
                        Result.shortened(text(output)),
                        Result.shortened(text(errors)));
    }

    private static String text(Path file) {
        return new String(read(file), StandardCharsets.UTF_8);
    }

    private static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
