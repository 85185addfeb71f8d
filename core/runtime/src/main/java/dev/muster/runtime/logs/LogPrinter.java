package dev.muster.runtime.logs;

import dev.muster.runtime.output.TimeStamp;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;

/** Prints the lines of several logs: in the order of their times, where they have some, else one log after the other. */
final class LogPrinter {

    private static final long PAUSE = Duration.ofMillis(200).toNanos();
    private static final String NO_TIME = "-".repeat(24) + " ";

    private final Filter filter;
    private final OutputStream out;

    /**
     * What is printed.
     *
     * @param since lines that are older are not; nor those without a time in a log that has times
     * @param pattern something in a line that is
     * @param hasTimes whether each line begins with its time
     * @param hasTitles whether each line begins with the name of its process
     */
    record Filter(Optional<Instant> since, Optional<Pattern> pattern, boolean hasTimes, boolean hasTitles) {}

    LogPrinter(Filter filter, OutputStream out) {
        this.filter = filter;
        this.out = new BufferedOutputStream(out, 64 * 1024);
    }

    /** @param isOver whether nothing more is going to be printed */
    void print(List<RankLog> logs, BooleanSupplier isOver) throws IOException {
        boolean isLast;
        do {
            isLast = isOver.getAsBoolean();
            print(logs, isLast);
            out.flush();
            if (!isLast) {
                LockSupport.parkNanos(PAUSE);
            }
        } while (!isLast);
    }

    private void print(List<RankLog> logs, boolean isLast) throws IOException {
        PriorityQueue<RankLog> heads =
                new PriorityQueue<>(Comparator.comparing(LogPrinter::time).thenComparingInt(logs::indexOf));
        for (RankLog log : logs) {
            if (log.advance(isLast)) {
                heads.add(log);
            }
        }
        while (!heads.isEmpty()) {
            RankLog next = heads.remove();
            print(next);
            if (next.advance(isLast)) {
                heads.add(next);
            }
        }
    }

    private static Instant time(RankLog log) {
        return log.line().time().orElse(Instant.MIN);
    }

    private void print(RankLog log) throws IOException {
        if (!isOld(log)) {
            print(log.title(), log.line().time(), log.line().bytes());
        }
    }

    /** Prints a line, unless it is filtered out. */
    void print(String title, Optional<Instant> time, byte[] line) throws IOException {
        if (!filter.pattern().map(pattern -> isIn(line, pattern)).orElse(true)) {
            return;
        }
        if (filter.hasTimes()) {
            write(time.map(TimeStamp::text).orElse(NO_TIME));
        }
        if (filter.hasTitles()) {
            write("[" + title + "] ");
        }
        out.write(line);
        if (line.length == 0 || line[line.length - 1] != '\n') {
            out.write('\n');
        }
    }

    private boolean isOld(RankLog log) {
        return filter.since()
                .filter(since -> log.hasTimes() && time(log).isBefore(since))
                .isPresent();
    }

    private static boolean isIn(byte[] line, Pattern pattern) {
        return pattern.matcher(new String(line, StandardCharsets.UTF_8).stripTrailing())
                .find();
    }

    private void write(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }
}
