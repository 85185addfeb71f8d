package dev.muster.runtime.logs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/** When the parts of a log were printed, from the file of times beside it, which grows with the log. */
final class TimeTable implements AutoCloseable {

    private static final long NONE = -1;

    /** From an offset of the log on. */
    private record Entry(long offset, Instant time) {}

    private final GrowingFile file;
    private Optional<Entry> current = Optional.empty();
    private Optional<Entry> next = Optional.empty();
    private long asked = NONE;

    TimeTable(GrowingFile file) {
        this.file = file;
    }

    /** When the byte of the log at an offset was printed, if somebody knows. Asked for offsets in their order. */
    Optional<Instant> at(long offset) throws IOException {
        boolean isAnew = offset < asked;
        asked = offset;
        if (isAnew) {
            skipToTheBeginning();
        }
        for (Optional<Entry> entry = peek(); isReached(entry, offset); entry = peek()) {
            current = entry;
            next = Optional.empty();
        }
        return current.map(Entry::time);
    }

    /** What comes for a log that was emptied is not reached before it is read anew. */
    private boolean isReached(Optional<Entry> entry, long offset) {
        long least = current.map(Entry::offset).orElse(NONE);
        return entry.isPresent() && entry.get().offset <= offset && entry.get().offset >= least;
    }

    private void skipToTheBeginning() throws IOException {
        long least = current.map(Entry::offset).orElse(NONE);
        current = Optional.empty();
        for (Optional<Entry> entry = peek(); entry.isPresent() && entry.get().offset >= least; entry = peek()) {
            least = entry.get().offset;
            next = Optional.empty();
        }
    }

    private Optional<Entry> peek() throws IOException {
        if (next.isEmpty()) {
            next = file.next(false).flatMap(TimeTable::entry);
        }
        return next;
    }

    private static Optional<Entry> entry(byte[] line) {
        String[] words = new String(line, StandardCharsets.US_ASCII).strip().split(" ", -1);
        try {
            return Optional.of(new Entry(Long.parseLong(words[0]), Instant.parse(words[words.length - 1])));
        } catch (DateTimeException | NumberFormatException notOurs) {
            // Whoever has written there has spoiled no log.
            return Optional.empty();
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
