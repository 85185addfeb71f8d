package dev.muster.runtime.logs;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.output.TimeStamp;
import dev.muster.runtime.text.Printable;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Prints the lines of several logs: by time, if logs have times, else one log after the other. */
final class LogPrinter {

    private static final String NO_TIME = "-".repeat(24) + " ";

    private final Filter filter;
    private final OutputStream out;

    /**
     * Which lines to print, and how.
     *
     * @param since leaves out older lines, and lines without a time in a log that has times
     * @param pattern must match a part of the line
     * @param hasTimes whether each line begins with its time
     * @param hasTitles whether each line begins with the name of its process
     */
    record Filter(Optional<Instant> since, Optional<Pattern> pattern, boolean hasTimes, boolean hasTitles) {}

    LogPrinter(Filter filter, OutputStream out) {
        this.filter = filter;
        this.out = new BufferedOutputStream(out, 64 * 1024);
    }

    /**
     * Prints the lines that are there now.
     *
     * @param isLast whether no later call follows
     */
    void print(List<RankLog> logs, boolean isLast) throws IOException {
        if (isLast && logs.stream().noneMatch(RankLog::hasTimes)) {
            printEach(logs);
            return;
        }
        PriorityQueue<RankLog> heads = new PriorityQueue<>(order(logs));
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
        out.flush();
    }

    /** By time; lines without a time in the order of the logs. */
    private static Comparator<RankLog> order(List<RankLog> logs) {
        Map<RankLog, Integer> order = new HashMap<>();
        logs.forEach(log -> order.put(log, order.size()));
        return Comparator.comparing(LogPrinter::time).thenComparingInt(order::get);
    }

    /** Prints one log after the other. There may be more logs than a process may open at once. */
    private void printEach(List<RankLog> logs) throws IOException {
        for (RankLog log : logs) {
            while (log.advance(true)) {
                print(log);
            }
            log.close();
        }
        out.flush();
    }

    private static Instant time(RankLog log) {
        return log.time().orElse(Instant.MIN);
    }

    private void print(RankLog log) throws IOException {
        boolean isOld =
                log.hasTimes() && filter.since().filter(time(log)::isBefore).isPresent();
        if (!isOld) {
            print(log.title(), log.time(), log.line());
        }
    }

    /** Prints a line, unless it is filtered out. */
    void print(String title, Optional<Instant> time, byte[] line) throws IOException {
        String text = new String(line, StandardCharsets.UTF_8).stripTrailing();
        if (!matches(text)) {
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

    private boolean matches(String line) {
        try {
            return filter.pattern().map(pattern -> pattern.matcher(line).find()).orElse(true);
        } catch (StackOverflowError tooDeep) {
            throw MusterException.usage(OptionTable.GREP.flag() + ": a line of " + line.length()
                    + " characters is too long for a repeated group such as (a|b)*. Write [ab]*");
        }
    }

    private void write(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }

    /** @throws MusterException the text is no regular expression */
    static Pattern pattern(String text) {
        try {
            return Pattern.compile(text);
        } catch (PatternSyntaxException malformed) {
            throw MusterException.usage(OptionTable.GREP.flag() + ": " + Printable.quote(text)
                    + " is no regular expression of Java: " + malformed.getDescription());
        }
    }
}
