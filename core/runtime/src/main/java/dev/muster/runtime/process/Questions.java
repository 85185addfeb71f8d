package dev.muster.runtime.process;

import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.errors.StoppedException;
import dev.muster.runtime.threads.Daemon;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** Runs commands that only ask for a fact, such as the version of a program, and end at once. */
public final class Questions {

    private static final int TOO_LATE = 124;
    private static final int NOT_EXECUTABLE = 126;
    private static final int LIMIT = 64 * 1024;
    private static final Duration LOOK = Duration.ofMillis(50);

    private final InheritedEnvironment inherited;
    private final Optional<String> searchPath;
    private final Path directory;
    private final BooleanSupplier areToStop;

    /**
     * @param searchPath the user's PATH
     * @param directory where commands run
     * @param areToStop whether the launcher has been told to end, which no command may delay
     */
    public Questions(
            InheritedEnvironment inherited, Optional<String> searchPath, Path directory, BooleanSupplier areToStop) {
        this.inherited = inherited;
        this.searchPath = searchPath;
        this.directory = directory;
        this.areToStop = areToStop;
    }

    /**
     * What a command answered.
     *
     * @param exitCode its own, 128+n for signal n, or 127, 126 and 124 for a command that is not there, cannot be executed or
     *     took too long
     * @param output what it wrote to standard output, at most 64 KiB
     */
    public record Answer(int exitCode, String output) {}

    /**
     * Runs a command and waits for its answer.
     *
     * @throws StoppedException when the launcher is told to stop before the answer; then the command has been ended
     */
    public Answer ask(List<String> command, Duration deadline) {
        List<String> words = new ArrayList<>(command);
        try {
            words.set(
                    0,
                    Executables.resolve(command.get(0), searchPath, directory).toString());
        } catch (MusterException missing) {
            return new Answer(missing.exitCode().code(), "");
        }
        ProcessBuilder builder = new ProcessBuilder(words).directory(directory.toFile());
        inherited.applyTo(builder.environment());
        builder.redirectInput(StandardInput.NOTHING).redirectError(ProcessBuilder.Redirect.DISCARD);
        try {
            return answer(Spawning.of(builder), deadline);
        } catch (IOException refused) {
            return new Answer(NOT_EXECUTABLE, "");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return new Answer(TOO_LATE, "");
        }
    }

    private Answer answer(Process process, Duration deadline) throws InterruptedException {
        CompletableFuture<String> output = new CompletableFuture<>();
        Daemon.start("answer", () -> output.complete(read(process.getInputStream())));
        if (!endsWithin(deadline, process)) {
            List<ProcessHandle> killed = kill(process);
            if (areToStop.getAsBoolean()) {
                throw new StoppedException();
            }
            awaitEnd(killed);
            return new Answer(TOO_LATE, "");
        }
        // What it left running may hold the output open; the answer is what came until it ended.
        return new Answer(
                process.exitValue(),
                output.completeOnTimeout("", 1, TimeUnit.SECONDS).join());
    }

    /** Whether it ends before the deadline, and before the launcher is to stop. */
    private boolean endsWithin(Duration deadline, Process process) throws InterruptedException {
        Duration left = deadline;
        while (!process.waitFor(Math.min(left.toMillis(), LOOK.toMillis()), TimeUnit.MILLISECONDS)) {
            left = left.minus(LOOK);
            if (left.isNegative() || areToStop.getAsBoolean()) {
                return false;
            }
        }
        return true;
    }

    /** Ends a command with its children. */
    private static List<ProcessHandle> kill(Process process) {
        List<ProcessHandle> all = Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .toList();
        all.forEach(ProcessHandle::destroyForcibly);
        return all;
    }

    /** Waits until they are gone: nobody finds them alive after the answer. */
    private static void awaitEnd(List<ProcessHandle> killed) {
        // A process in an uninterruptible sleep (a dead NFS server) ends when it wakes; the launcher does not wait for
        // that.
        CompletableFuture.allOf(killed.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new))
                .completeOnTimeout(null, 1, TimeUnit.SECONDS)
                .join();
    }

    private static String read(InputStream stream) {
        try (stream) {
            return new String(stream.readNBytes(LIMIT), StandardCharsets.UTF_8);
        } catch (IOException closed) {
            return "";
        }
    }
}
