package dev.muster.runtime.output;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Knows when a line without an end is shown. What is shown cannot be completed once another process has printed, so a line that
 * is only cut must not be taken for one that waits for somebody, as a prompt does. A process that prints in blocks cuts lines
 * anywhere, and on a busy machine the rest may be a while in coming.
 *
 * <ul>
 *   <li>When nobody else prints, a line is shown after a tenth of a second; so are the states of a progress bar in any case.
 *   <li>While others print, or when it is the end of a block, it is given two seconds.
 * </ul>
 *
 * Only the pump thread touches it.
 */
final class OpenLines {

    static final long PATIENCE = Duration.ofMillis(100).toNanos();
    static final long LONGEST = Duration.ofSeconds(2).toNanos();

    private final Set<ProcessOutput> holding = new HashSet<>();
    private @Nullable ProcessOutput lastPrinter;
    private long lastPrint;
    /** When anybody but the last one printed. */
    private long lastPrintOfOthers;

    OpenLines(long now) {
        lastPrint = now - LONGEST;
        lastPrintOfOthers = lastPrint;
    }

    /** A process has printed something. */
    void printed(ProcessOutput output, long now) {
        if (!output.equals(lastPrinter)) {
            lastPrintOfOthers = lastPrint;
            lastPrinter = output;
        }
        lastPrint = now;
        if (output.holds()) {
            holding.add(output);
        } else {
            holding.remove(output);
        }
    }

    /** There is nothing more to show of it. */
    void remove(ProcessOutput output) {
        holding.remove(output);
    }

    /** Those whose line is due, unless its end has come meanwhile. */
    List<ProcessOutput> due(long now) {
        return holding.stream().filter(output -> isDue(output, now)).toList();
    }

    boolean isDue(ProcessOutput output, long now) {
        return output.holds() && due(output) - now <= 0;
    }

    /** Milliseconds until the next line is due; 0: there is none. */
    long timeout(long now) {
        if (holding.isEmpty()) {
            return 0;
        }
        long wait = Long.MAX_VALUE;
        for (ProcessOutput output : holding) {
            wait = Math.min(wait, due(output) - now);
        }
        return Math.max(1, wait / 1_000_000 + 1);
    }

    private long due(ProcessOutput output) {
        long soon = output.heldSince() + PATIENCE;
        long latest = output.heldSince() + LONGEST;
        if (output.holdsProgress()) {
            return soon;
        }
        if (output.printsBlocks()) {
            return latest;
        }
        long others = output.equals(lastPrinter) ? lastPrintOfOthers : lastPrint;
        long quiet = others + PATIENCE;
        long earliest = quiet - soon > 0 ? quiet : soon;
        return earliest - latest > 0 ? latest : earliest;
    }
}
