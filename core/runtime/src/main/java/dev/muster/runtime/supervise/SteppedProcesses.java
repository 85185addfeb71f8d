package dev.muster.runtime.supervise;

import dev.muster.runtime.output.Waits;
import dev.muster.runtime.process.ProcessSupervisor.StartedProcess;
import dev.muster.spi.ProcessSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Processes are what the caller makes of them; nothing else is there. Stops them as the supervisor does. */
final class SteppedProcesses extends NothingStarted {

    private final SteppedRun.World world;
    private final Events events;
    private final Consumer<Event> post;
    private final Map<Long, String> running = new TreeMap<>();
    private final Map<Long, Stop> stops = new HashMap<>();
    private long lastPid;
    private long lastStop;

    /** Some that are to end, and when they are killed. */
    private record Stop(Set<Long> only, Set<Long> keep, long deadline, boolean isKilled) {

        boolean isFor(long pid) {
            return (only.isEmpty() || only.contains(pid)) && !keep.contains(pid);
        }
    }

    /** @param post takes what happens */
    SteppedProcesses(SteppedRun.World world, Events events, Consumer<Event> post) {
        super(Waits.inLines(world::say, events::now), text -> text);
        this.world = world;
        this.events = events;
        this.post = post;
    }

    @Override
    public StartedProcess start(ProcessSpec process) {
        lastPid++;
        running.put(lastPid, process.id());
        world.start(process, lastPid);
        return new StartedProcess(lastPid, lastPid);
    }

    @Override
    public long stop(Set<Long> only, Set<Long> keep, Duration grace) {
        Stop stop = new Stop(only, keep, events.now() + grace.toNanos(), false);
        stops.put(++lastStop, stop);
        if (!grace.isZero()) {
            meant(stop).forEach(pid -> world.signal("TERM", pid));
        }
        look();
        return lastStop;
    }

    private List<Long> meant(Stop stop) {
        return running.keySet().stream().filter(stop::isFor).toList();
    }

    void ended(String id) {
        running.values().removeIf(id::equals);
        look();
    }

    /** Kills whose time is over, and tells whose end has come. */
    void look() {
        List<Long> over = new ArrayList<>();
        stops.replaceAll((sequence, stop) -> {
            List<Long> left = meant(stop);
            if (left.isEmpty()) {
                over.add(sequence);
                post.accept(new Event.Stopped(sequence, events.now()));
            }
            boolean isDue = !stop.isKilled() && !left.isEmpty() && events.now() >= stop.deadline();
            if (isDue) {
                post.accept(new Event.Killing(sequence, left.size(), left, events.now()));
                left.forEach(pid -> world.signal("KILL", pid));
            }
            return isDue ? new Stop(stop.only(), stop.keep(), stop.deadline(), true) : stop;
        });
        over.forEach(stops::remove);
    }

    /** When {@link #look} must be called again even if nothing happens. */
    OptionalLong nextLook() {
        return stops.values().stream()
                .filter(stop -> !stop.isKilled())
                .mapToLong(Stop::deadline)
                .min();
    }
}
