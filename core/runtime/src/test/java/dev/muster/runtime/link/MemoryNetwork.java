package dev.muster.runtime.link;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A network in memory between launchers whose connections delay what they are given, and break: for tests of whole jobs.
 * Time is virtual, and the same seed gives the same run. One thread only.
 */
public final class MemoryNetwork {

    /** Events between two looks of a test. */
    private static final int MOST = 1_000_000;

    private record Due(long time, long order, Runnable action) implements Comparable<Due> {

        @Override
        public int compareTo(Due other) {
            return time == other.time ? Long.compare(order, other.order) : Long.compare(time, other.time);
        }
    }

    private final Random random;
    private final PriorityQueue<Due> dues = new PriorityQueue<>();
    private final List<MemoryLink> stations = new ArrayList<>();
    private final long longestDelay;
    private long now;
    private long scheduled;

    /**
     * @param longestDelay of a batch, in nanoseconds
     */
    public MemoryNetwork(long seed, long longestDelay) {
        random = new Random(seed);
        this.longestDelay = longestDelay;
    }

    /** Nanoseconds since the beginning. */
    public long now() {
        return now;
    }

    public Random random() {
        return random;
    }

    /**
     * A launcher that is there from now on.
     *
     * @param run what this run of it is called; another one of the same launcher has another name
     * @param clockAhead of {@link #now}, in nanoseconds
     */
    public MemoryLink open(LinkSettings settings, String run, String host, long clockAhead) {
        MemoryLink station = new MemoryLink(this, settings, run, host, clockAhead);
        stations.add(station);
        station.open();
        return station;
    }

    /** Whoever leads on a host and is alive; the last one where there were several. */
    @Nullable MemoryLink leader(Optional<String> host) {
        MemoryLink found = null;
        for (MemoryLink station : stations) {
            boolean isMeant = station.leads() && host.equals(Optional.of(station.hostName()));
            found = isMeant && (found == null || station.isAlive()) ? station : found;
        }
        return found;
    }

    public void at(long time, Runnable action) {
        dues.add(new Due(Math.max(now, time), scheduled++, action));
    }

    public void after(long nanos, Runnable action) {
        at(now + nanos, action);
    }

    long delay() {
        return 1 + (long) (random.nextDouble() * random.nextDouble() * longestDelay);
    }

    /** Lets time pass. */
    public void run(long seconds) {
        long end = now + TimeUnit.SECONDS.toNanos(seconds);
        for (int count = 0; !dues.isEmpty() && dues.peek().time() <= end; count++) {
            if (count == MOST) {
                throw new AssertionError("there is no end of it at " + now);
            }
            Due due = dues.poll();
            now = due.time();
            due.action().run();
        }
        now = end;
    }
}
