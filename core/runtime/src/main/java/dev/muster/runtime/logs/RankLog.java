package dev.muster.runtime.logs;

import dev.muster.runtime.output.LogTimes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/** The lines of one log, with their times where somebody has written them down. */
final class RankLog implements AutoCloseable {

    private final String title;
    private final Path path;
    private final GrowingFile file;
    private final TimeTable times;
    private Optional<Line> head = Optional.empty();

    /** A line with its end, and when it was printed. */
    @SuppressWarnings("ArrayRecordComponent")
    record Line(Optional<Instant> time, byte[] bytes) {}

    /** @param title what the process is called */
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

    /** Comes to the next line; false: there is none now. */
    boolean advance(boolean isLast) throws IOException {
        Optional<byte[]> line = file.next(isLast);
        head = line.isEmpty() ? Optional.empty() : Optional.of(new Line(times.at(file.start()), line.get()));
        return head.isPresent();
    }

    /** The line that it has come to. */
    Line line() {
        return head.orElseThrow();
    }

    @Override
    public void close() throws IOException {
        file.close();
        times.close();
    }
}
