package dev.muster.runtime.output;

import dev.muster.runtime.text.Ranges;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Holds lines of ranks back for a moment, and shows equal lines once: {@code [ranks 0-7] line}. The lines of each rank keep their order.
 * Only the pump thread uses it, except {@link #addRank}.
 */
final class LineFold {

    /** How long a line waits for other ranks to print it. */
    private static final long WINDOW = Duration.ofMillis(500).toNanos();

    /** The most lines that wait. More lines are shown without a wait, so they may stay unfolded. */
    private static final int MOST = 512;

    private final Console console;
    private final @Nullable TimeStamp stamp;
    private final LongSupplier nanoClock;
    private final List<Line> waiting = new ArrayList<>();
    private final BitSet running = new BitSet();
    /** When the last rank was started. More ranks may follow. */
    private long joinedAt;

    /** A line, and the ranks that have printed it. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Line(FoldedLines first, byte[] text, long since, BitSet ranks) {}

    LineFold(Console console, @Nullable TimeStamp stamp, LongSupplier nanoClock) {
        this.console = console;
        this.stamp = stamp;
        this.nanoClock = nanoClock;
    }

    /** A rank is about to be started. */
    synchronized void addRank(int rank) {
        running.set(rank);
        joinedAt = nanoClock.getAsLong();
    }

    /** A rank prints nothing more. */
    synchronized void removeRank(int rank) {
        running.clear(rank);
        showDue();
    }

    /** A rank has printed a line. */
    void add(FoldedLines rank, byte[] text) {
        int index = equal(rank.rank(), text);
        if (index < 0) {
            index = waiting.size();
            waiting.add(new Line(rank, text, nanoClock.getAsLong(), new BitSet()));
        }
        waiting.get(index).ranks.set(rank.rank());
        moveAheadOf(index, rank.rank());
        showDue();
    }

    /**
     * The index of an equal waiting line that this rank has not printed; -1: none. The search begins behind the rank's last shared line:
     * shared lines keep their order, and lines of one rank can move.
     */
    private int equal(int rank, byte[] text) {
        int index = waiting.size();
        while (index > 0 && !isShared(waiting.get(index - 1), rank)) {
            index--;
        }
        while (index < waiting.size()) {
            Line line = waiting.get(index);
            if (!line.ranks.get(rank) && Arrays.equals(line.text, text)) {
                return index;
            }
            index++;
        }
        return -1;
    }

    private static boolean isShared(Line line, int rank) {
        return line.ranks.get(rank) && line.ranks.cardinality() > 1;
    }

    /** A moved line takes the start time of the line that follows it. So the first line is always due first. */
    private void moveAheadOf(int index, int rank) {
        long since = waiting.get(index).since;
        int to = index;
        for (int from = index + 1; from < waiting.size(); from++) {
            if (waiting.get(from).ranks.get(rank)) {
                Line own = waiting.remove(from);
                waiting.add(to++, new Line(own.first, own.text, since, own.ranks));
            }
        }
    }

    /** Shows the lines that all ranks have printed, and those that have waited long enough. */
    synchronized void showDue() {
        while (!waiting.isEmpty() && (isComplete(waiting.get(0)) || isDue(waiting.get(0)))) {
            show(waiting.remove(0));
        }
    }

    private boolean isComplete(Line line) {
        BitSet missing = (BitSet) running.clone();
        missing.andNot(line.ranks);
        return missing.isEmpty() && nanoClock.getAsLong() - joinedAt >= WINDOW;
    }

    private boolean isDue(Line line) {
        return waiting.size() > MOST || nanoClock.getAsLong() - line.since >= WINDOW;
    }

    /** When {@link #showDue} has something to do. */
    OptionalLong due() {
        return waiting.isEmpty() ? OptionalLong.empty() : OptionalLong.of(waiting.get(0).since + WINDOW);
    }

    void showAll() {
        while (!waiting.isEmpty()) {
            show(waiting.remove(0));
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
