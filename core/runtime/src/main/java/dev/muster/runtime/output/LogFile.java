package dev.muster.runtime.output;

import dev.muster.runtime.files.IoReasons;
import dev.muster.runtime.files.SafeFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The log file of one process. It gets every byte of output, and keeps what it already holds. Methods never fail: lost bytes are counted,
 * and the user is told once.
 */
final class LogFile {

    private static final long RETRY = Duration.ofSeconds(5).toNanos();
    private final Path path;
    private final String name;
    private final Consumer<String> warnings;
    private final @Nullable LogTimes times;
    private @Nullable FileChannel channel;
    private Optional<Object> identity = Optional.empty();
    private boolean failing;
    private boolean told;
    private long retryAt;
    private long logged;
    private long lost;

    /**
     * Opens or makes the file.
     *
     * @param path the path that messages show
     * @param name the process's name, for messages
     * @param separator the line between the output of an earlier run and of this run
     * @param stamp if present, a file of times is written beside the log
     */
    LogFile(Path path, String name, String separator, @Nullable TimeStamp stamp, Consumer<String> warnings) {
        this.path = path;
        this.name = name;
        this.warnings = warnings;
        try {
            channel = open(path, separator);
            identity = SafeFile.identity(path);
        } catch (IOException e) {
            warnings.accept(name + ": cannot write log file " + path + ": " + IoReasons.of(e)
                    + "; its output goes to the console only");
        }
        times = stamp == null || channel == null ? null : new LogTimes(path, stamp, warnings);
    }

    Path path() {
        return path;
    }

    long logged() {
        return logged;
    }

    long lost() {
        return lost;
    }

    /** Whether the last write succeeded. */
    boolean isWritten() {
        return channel != null && !failing;
    }

    /** Takes all bytes of the buffer. */
    void write(ByteBuffer bytes) {
        int count = bytes.remaining();
        if (channel == null || (failing && System.nanoTime() < retryAt)) {
            lost += count;
            return;
        }
        try {
            if (times != null) {
                times.note(channel.size());
            }
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            failing = false;
        } catch (IOException e) {
            onFailure(e);
        }
        logged += count - bytes.remaining();
        lost += bytes.remaining();
    }

    void close() {
        if (channel == null) {
            return;
        }
        if (!identity.equals(SafeFile.identity(path))) {
            warnings.accept(name + ": its log file " + path
                    + " was renamed or deleted while the process ran; what it printed went into the same file");
        }
        try {
            channel.close();
        } catch (IOException e) {
            onFailure(e);
        }
        channel = null;
        if (times != null) {
            times.close();
        }
        if (lost > 0) {
            warnings.accept(name + ": " + lost + " bytes of its output are not in " + path);
        }
    }

    private void onFailure(IOException cause) {
        failing = true;
        retryAt = System.nanoTime() + RETRY;
        if (!told) {
            told = true;
            warnings.accept(name + ": log write failed (" + IoReasons.of(cause) + "): " + path
                    + "; the process goes on, its output is on the console; trying again every 5 s");
        }
    }

    private static FileChannel open(Path path, String separator) throws IOException {
        FileChannel opened = SafeFile.openOrMake(path, StandardOpenOption.APPEND);
        try {
            long size = opened.size();
            if (size > 0) {
                String line = (endsWithNewline(path, size) ? "" : "\n") + separator + "\n";
                opened.write(ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8)));
            }
            return opened;
        } catch (IOException refused) {
            opened.close();
            throw refused;
        }
    }

    private static boolean endsWithNewline(Path path, long size) throws IOException {
        ByteBuffer last = ByteBuffer.allocate(1);
        try (FileChannel reader = SafeFile.openOrMake(path, StandardOpenOption.READ)) {
            reader.read(last, size - 1);
        }
        return last.get(0) == '\n';
    }
}
