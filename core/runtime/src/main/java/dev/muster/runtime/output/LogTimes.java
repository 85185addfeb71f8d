package dev.muster.runtime.output;

import dev.muster.runtime.files.IoReasons;
import dev.muster.runtime.files.SafeFile;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A file beside a log that tells when each part was printed. A line {@code OFFSET TIME} holds from that byte of the log on. After a
 * failed write no more times are written; the log goes on.
 */
public final class LogTimes {

    /** The suffix behind the log's name. */
    private static final String SUFFIX = ".times";

    /** The least time between two lines, in milliseconds. */
    private static final long TICK = 10;

    private final TimeStamp stamp;
    private final Path path;
    private final Consumer<String> warnings;
    private @Nullable FileChannel channel;
    private long last = -TICK;

    LogTimes(Path log, TimeStamp stamp, Consumer<String> warnings) {
        this.stamp = stamp;
        this.path = of(log);
        this.warnings = warnings;
        try {
            channel = SafeFile.openOrMake(path, StandardOpenOption.APPEND);
        } catch (IOException refused) {
            onFailure(refused);
        }
    }

    /** The file of the times of a log. */
    public static Path of(Path log) {
        return log.resolveSibling(log.getFileName() + SUFFIX);
    }

    /** The next output begins at this offset of the log. */
    void note(long offset) {
        long now = stamp.millis();
        if (channel != null && Math.abs(now - last) >= TICK) {
            last = now;
            write(channel, offset);
        }
    }

    private void write(FileChannel open, long offset) {
        String line = offset + " " + new String(stamp.text(), StandardCharsets.US_ASCII).strip() + "\n";
        try {
            Channels.newOutputStream(open).write(line.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException refused) {
            onFailure(refused);
            close();
        }
    }

    private void onFailure(IOException why) {
        warnings.accept("no times beside the log: cannot write " + path + ": " + IoReasons.of(why));
    }

    void close() {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException told) {
            onFailure(told);
        }
        channel = null;
    }
}
