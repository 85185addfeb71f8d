package dev.muster.runtime.simulate;

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

/** Writes what the simulated cluster provides: late files are missing for half the time, then half-written. */
final class ClusterFiles implements AutoCloseable {

    private final Duration late;
    private final Consumer<FileException> onError;
    private final ScheduledExecutorService clock =
            Executors.newSingleThreadScheduledExecutor(Daemon.named("cluster-files"));

    /**
     * @param late after how long the files are whole
     * @param onError told when a file cannot be written later on; writing at once throws instead
     */
    ClusterFiles(Duration late, Consumer<FileException> onError) {
        this.late = late;
        this.onError = onError;
    }

    /** @throws FileException when a file that is not late cannot be written */
    void provide(Map<String, String> files) throws FileException {
        for (Map.Entry<String, String> each : files.entrySet()) {
            Path file = Path.of(each.getKey());
            String content = each.getValue();
            Directories.make(directory(file));
            if (!late.isZero()) {
                after(late.dividedBy(2), file, content.substring(0, content.length() / 2));
            }
            after(late, file, content);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // What goes wrong is reported by the task itself.
    private void after(Duration delay, Path file, String content) throws FileException {
        if (delay.isZero()) {
            write(file, content);
        } else {
            clock.schedule(() -> writeOrReport(file, content), delay.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private void writeOrReport(Path file, String content) {
        try {
            write(file, content);
        } catch (FileException failed) {
            onError.accept(failed);
        }
    }

    static void write(Path file, String content) throws FileException {
        AtomicFile.write(directory(file), String.valueOf(file.getFileName()), content);
    }

    static Path directory(Path file) {
        return Objects.requireNonNull(file.getParent(), "files of a cluster lie in directories");
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
