package dev.muster.runtime.simulate;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.AtomicFile;
import dev.muster.runtime.files.Directories;
import dev.muster.runtime.files.FileException;
import dev.muster.runtime.threads.Daemon;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Writes the files of the simulated cluster. A late file is missing for half the time, then half-written. */
final class ClusterFiles implements AutoCloseable {

    private final Duration late;
    private final Consumer<MusterException> onError;
    private final ScheduledExecutorService clock =
            Executors.newSingleThreadScheduledExecutor(Daemon.named("cluster-files"));

    /**
     * @param late the time until the files are complete
     * @param onError told if a file cannot be written later; a write at once throws instead
     */
    ClusterFiles(Duration late, Consumer<MusterException> onError) {
        this.late = late;
        this.onError = onError;
    }

    /** @throws MusterException a file that is not late cannot be written */
    void provide(Map<String, String> files) {
        files.forEach((name, content) -> {
            Path file = Path.of(name);
            make(directory(file));
            if (late.isZero()) {
                write(file, content);
            } else {
                after(late.dividedBy(2), file, content.substring(0, content.length() / 2));
                after(late, file, content);
            }
        });
    }

    @SuppressWarnings("FutureReturnValueIgnored") // The task itself reports errors.
    private void after(Duration delay, Path file, String content) {
        clock.schedule(() -> writeOrReport(file, content), delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void writeOrReport(Path file, String content) {
        try {
            write(file, content);
        } catch (MusterException failed) {
            onError.accept(failed);
        }
    }

    /** @throws MusterException it cannot be written */
    static void write(Path file, String content) {
        try {
            Directories.make(directory(file));
            AtomicFile.write(directory(file), String.valueOf(file.getFileName()), content);
        } catch (FileException refused) {
            throw refusal(refused);
        }
    }

    /** @throws MusterException the directory cannot be made */
    static void make(Path directory) {
        try {
            Directories.make(directory);
        } catch (FileException refused) {
            throw refusal(refused);
        }
    }

    private static MusterException refusal(FileException refused) {
        return new MusterException(ExitCode.CONFIGURATION, String.valueOf(refused.getMessage()), refused);
    }

    private static Path directory(Path file) {
        return Objects.requireNonNull(file.getParent(), "files of a cluster lie in directories");
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
