package dev.muster.runtime.link;

import dev.muster.spi.Host;
import dev.muster.spi.LauncherNodes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/** A job of a few nodes on a network without faults. */
final class FaultlessJob {

    static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    static final LinkLog NO_LOG = new LinkLog(line -> {}, line -> {});

    final MemoryNetwork network = new MemoryNetwork(1, 2 * MILLI);
    private final Map<MemoryLink, List<LinkEvent>> heard = new HashMap<>();
    private final int count;
    private final boolean required;

    FaultlessJob(int count, boolean required) {
        this.count = count;
        this.required = required;
    }

    /** Starts a launcher, with a clock of its own. */
    MemoryLink comes(int node) {
        return comes(node, "first");
    }

    MemoryLink comes(int node, String run) {
        return comes(node, count, run, "gpu" + node);
    }

    MemoryLink comes(int node, int nodes, String run, String host) {
        return opened(settings(node, nodes), run, node, host);
    }

    /** Starts a launcher for one attempt of a job that may restart. */
    MemoryLink comes(int node, LinkRun run) {
        LinkSettings settings = settings(node, Math.max(count, node + 1)).with(run);
        return opened(settings, run.text(), node, "gpu" + node);
    }

    private MemoryLink opened(LinkSettings settings, String run, int node, String host) {
        MemoryLink station = network.open(settings, run, host, node * 1000L * SECOND);
        List<LinkEvent> events = new ArrayList<>();
        station.listen(events::add);
        heard.put(station, events);
        return station;
    }

    /** Starts all launchers and gives them a second to connect. */
    List<MemoryLink> allCome() {
        List<MemoryLink> stations = new ArrayList<>();
        for (int node = 0; node < count; node++) {
            stations.add(comes(node));
        }
        network.run(1);
        return stations;
    }

    List<LinkEvent> heardBy(MemoryLink station) {
        return Objects.requireNonNull(heard.get(station));
    }

    /** How the job ended, as a launcher has heard it. */
    Optional<JobEnd> verdictOf(MemoryLink station) {
        return heardBy(station).stream()
                .filter(LinkEvent.Decided.class::isInstance)
                .map(event -> ((LinkEvent.Decided) event).end())
                .findFirst();
    }

    boolean mayLeave(MemoryLink station) {
        return heardBy(station).contains(new LinkEvent.MayLeave());
    }

    static List<String> lines(MemoryLink station) {
        return station.lines();
    }

    static void plans(MemoryLink station) {
        plans(station, "8", "python train.py", false);
    }

    static void plans(MemoryLink station, String cards, String command, boolean follows, String... watched) {
        station.send(new LocalEvent.Planned(
                new TreeMap<>(Map.of("cards", cards)), command, follows, new TreeSet<>(List.of(watched))));
    }

    /** A rank of this launcher fails now. */
    static JobEnd fails(MemoryLink station) {
        JobEnd end =
                JobEnd.of(JobEnd.Kind.FAILED, station.name(), Optional.of("host"), 3, "rank ended with exit code 3");
        station.send(new LocalEvent.Over(end, station.clock()));
        return end;
    }

    static void starts(MemoryLink station, String process) {
        station.send(new LocalEvent.Started(process, 71, OptionalInt.of(4), Optional.empty(), station.clock()));
    }

    static void ends(MemoryLink station, String process) {
        station.send(new LocalEvent.Ended(
                process,
                0,
                OptionalInt.empty(),
                "exit code 0",
                false,
                station.clock(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty()));
    }

    LinkSettings settings(int node) {
        return settings(node, count);
    }

    private LinkSettings settings(int node, int nodes) {
        return settings(node, nodes, required, Duration.ofSeconds(60), Duration.ofSeconds(10), Duration.ofMinutes(5));
    }

    /** The settings of a launcher in memory. The hosts are {@code gpu0}, {@code gpu1} and so on. */
    static LinkSettings settings(
            int node, int nodes, boolean required, Duration lostAfter, Duration grace, Duration patience) {
        List<Host> hosts = new ArrayList<>();
        for (int host = 0; host < nodes; host++) {
            hosts.add(Host.of("gpu" + host, Optional.empty()));
        }
        return settings(LauncherNodes.ofHosts(node, hosts), required, lostAfter, grace, patience);
    }

    static LinkSettings settings(
            LauncherNodes launchers, boolean required, Duration lostAfter, Duration grace, Duration patience) {
        return new LinkSettings(
                "job",
                launchers,
                required,
                false,
                LinkKey.known(new byte[1], "a test"),
                List.of(1),
                lostAfter,
                grace,
                patience,
                LinkRun.first(0));
    }
}
