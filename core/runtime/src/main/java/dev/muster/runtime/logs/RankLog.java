package dev.muster.runtime.logs;

import dev.muster.runtime.output.LogTimes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/** The lines of one log, with their times if there is a file of times. */
final class RankLog {

    private final String title;
    private final Path path;
    private final GrowingFile file;
    private final TimeTable times;
    private Optional<Instant> time = Optional.empty();
    private byte[] line = {};

    /** @param title the process's name */
    RankLog(String title, Path path) {
        this.title = title;
        this.path = path;
        this.file = new GrowingFile(path);
        this.times = new TimeTable(new GrowingFile(LogTimes.of(path)));
    }

    String title() {
        return title;
    }

    Path path() {
        return path;
    }

    boolean hasTimes() {
        return Files.exists(LogTimes.of(path));
    }

    /** Moves to the next line; false: there is none now. */
    boolean advance(boolean isLast) throws IOException {
        Optional<byte[]> next = file.next(isLast);
        line = next.orElse(line);
        time = next.isEmpty() ? time : times.at(file.start());
        return next.isPresent();
    }

    void close() throws IOException {
        file.close();
    }

    /** The current line, with its newline. */
    byte[] line() {
        return line;
    }

    /** When the current line was printed. */
    Optional<Instant> time() {
        return time;
    }

    /** The times of a log's parts, from the file of times beside it, which grows with the log. */
    static final class TimeTable {

        /** A time, valid from an offset of the log on. */
        private record Entry(long offset, Instant time) {}

        private final GrowingFile file;
        private Optional<Instant> current = Optional.empty();
        private Optional<Entry> next = Optional.empty();

        TimeTable(GrowingFile file) {
            this.file = file;
        }

        /** When the byte at an offset of the log was printed, if known. Offsets must not decrease. */
        Optional<Instant> at(long offset) throws IOException {
            while (isReached(offset)) {
                current = next.map(Entry::time);
                next = Optional.empty();
            }
            return current;
        }

        private boolean isReached(long offset) throws IOException {
            if (next.isEmpty()) {
                next = file.next(false).flatMap(TimeTable::entry);
            }
            return next.filter(entry -> entry.offset <= offset).isPresent();
        }

        private static Optional<Entry> entry(byte[] line) {
            String[] words = new String(line, StandardCharsets.US_ASCII).strip().split(" ", -1);
            try {
                return Optional.of(new Entry(Long.parseLong(words[0]), Instant.parse(words[words.length - 1])));
            } catch (DateTimeException | NumberFormatException notOurs) {
                // A line that Muster did not write. The log itself is not affected.
                return Optional.empty();
            }
        }
    }
}
