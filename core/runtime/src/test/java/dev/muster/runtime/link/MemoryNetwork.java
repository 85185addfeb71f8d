package dev.muster.runtime.link;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A network in memory between simulated launchers, for tests of whole jobs. It delays messages, and connections break.
 * Time is virtual. The same seed gives the same order of events. It is for one thread only.
 */
public final class MemoryNetwork {

    /** The most events in one call of {@link #run}. More are an endless loop. */
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
     * @param longestDelay of one message, in nanoseconds
     */
    public MemoryNetwork(long seed, long longestDelay) {
        random = new Random(seed);
        this.longestDelay = longestDelay;
    }

    /** Virtual time since the beginning, in nanoseconds. */
    public long now() {
        return now;
    }

    public Random random() {
        return random;
    }

    /**
     * Starts a launcher.
     *
     * @param run the name of this start of the launcher; each start of the same node has another name
     * @param clockAhead of {@link #now}, in nanoseconds
     */
    public MemoryLink open(LinkSettings settings, String run, String host, long clockAhead) {
        MemoryLink station = new MemoryLink(this, settings, run, host, clockAhead);
        stations.add(station);
        station.open();
        return station;
    }

    /** The leader on a host. If there were several, the last one that is alive. */
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
