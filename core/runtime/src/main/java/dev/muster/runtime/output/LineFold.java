package dev.muster.runtime.output;

import dev.muster.runtime.text.Ranges;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Holds the lines of ranks back for a moment, and shows equal ones once: {@code [ranks 0-7] line}. The lines of each rank stay in
 * their order. Only the pump thread touches it, but for {@link #joined}.
 */
final class LineFold {

    /** How long a line waits for those who have not said it. */
    private static final long WINDOW = Duration.ofMillis(500).toNanos();

    /** Lines that wait; whoever floods the console is not folded well. */
    private static final int MOST = 512;

    private final Console console;
    private final @Nullable TimeStamp stamp;
    private final LongSupplier nanoClock;
    private final Deque<Line> waiting = new ArrayDeque<>();
    private final BitSet running = new BitSet();
    private long number;

    /** A line, and who has said it. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Line(long number, FoldedLines first, byte[] text, long since, BitSet ranks) {}

    LineFold(Console console, @Nullable TimeStamp stamp, LongSupplier nanoClock) {
        this.console = console;
        this.stamp = stamp;
        this.nanoClock = nanoClock;
    }

    /** A rank is about to be started. */
    synchronized void joined(int rank) {
        running.set(rank);
    }

    /** A rank says nothing more. */
    synchronized void left(int rank) {
        running.clear(rank);
        showDue();
    }

    /** A rank has said a line. */
    void add(FoldedLines rank, byte[] text) {
        Optional<Line> equal = waiting.stream()
                .filter(line -> line.number > rank.latest() && Arrays.equals(line.text, text))
                .findFirst();
        Line said = equal.orElseGet(() -> new Line(++number, rank, text, nanoClock.getAsLong(), new BitSet()));
        if (equal.isEmpty()) {
            waiting.add(said);
        }
        said.ranks.set(rank.rank());
        rank.hasSaid(said.number);
        showDue();
    }

    /** Shows the lines that all ranks have said, or that have waited long enough. */
    synchronized void showDue() {
        while (!waiting.isEmpty() && (isSaidByAll(waiting.peek()) || isDue(waiting.peek()))) {
            show(waiting.remove());
        }
    }

    private boolean isSaidByAll(Line line) {
        BitSet missing = (BitSet) running.clone();
        missing.andNot(line.ranks);
        return missing.isEmpty();
    }

    private boolean isDue(Line line) {
        return waiting.size() > MOST || nanoClock.getAsLong() - line.since >= WINDOW;
    }

    /** When {@link #showDue} has something to do. */
    OptionalLong due() {
        return waiting.isEmpty() ? OptionalLong.empty() : OptionalLong.of(waiting.peek().since + WINDOW);
    }

    void showAll() {
        while (!waiting.isEmpty()) {
            show(waiting.remove());
        }
    }

    private void show(Line line) {
        if (line.ranks.cardinality() == 1) {
            line.first.show(line.text);
        } else {
            String one = "rank " + line.first.rank();
            String all = "ranks " + String.join(",", Ranges.of(line.ranks));
            new LineFormatter(line.first.prefix().replace(one, all), console, stamp)
                    .accept(line.text, line.text.length);
        }
    }
}
