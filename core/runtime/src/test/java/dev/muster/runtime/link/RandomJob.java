package dev.muster.runtime.link;

import dev.muster.spi.LauncherNodes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A job whose launchers come, work, fail, are stopped, killed and cut off at times that a seed chooses. */
final class RandomJob {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long LONGEST = 400;

    private final long seed;
    private final Random random;
    private final MemoryNetwork network;
    private final long longestDelay;
    private final int count;
    private final boolean required;
    /** Whether launchers die, stay away or are cut off. */
    private final boolean isCruel;
    /** Whether connections break. */
    private final boolean isRough;

    private final List<ActingLauncher> launchers = new ArrayList<>();
    private final Map<String, Long> ownCauses = new HashMap<>();
    private final Set<String> troubled = new HashSet<>();
    private final List<String> story = new ArrayList<>();

    RandomJob(long seed) {
        this.seed = seed;
        random = new Random(seed);
        count = 2 + random.nextInt(5);
        required = random.nextBoolean();
        isCruel = random.nextInt(2) == 0;
        isRough = random.nextInt(3) > 0;
        longestDelay = TimeUnit.MILLISECONDS.toNanos(random.nextInt(4) == 0 ? 300 : 1 + random.nextInt(40));
        network = new MemoryNetwork(random.nextLong(), longestDelay);
    }

    void run() {
        for (int node = 0; node < count; node++) {
            if (isCruel && random.nextInt(12) == 0) {
                troubled.add(LauncherNodes.ofNode(node));
                tell(node, "never comes");
            } else {
                int index = node;
                network.after(time(node == 0 ? 15 : 10), () -> come(index));
            }
        }
        network.run(LONGEST);
    }

    private void come(int node) {
        tell(node, "comes");
        MemoryLink station = network.open(settings(node), "run-" + node, "host" + node, random.nextLong() / 4);
        boolean follows = required && node > 0 && random.nextInt(4) == 0;
        ActingLauncher launcher = new ActingLauncher(network, station, follows, time(3));
        launchers.add(launcher);
        TreeSet<String> watched = new TreeSet<>();
        if (random.nextBoolean()) {
            watched.add("worker@" + LauncherNodes.ofNode((node + 1) % count));
        }
        String cards = random.nextInt(60) == 0 ? "4" : "8";
        network.after(time(4), () -> launcher.plans(watched, cards));
        network.after(time(6), launcher::isReady);
        network.after(4 * SECOND + time(30), () -> end(node, launcher, follows));
        if (isRough) {
            for (int breaks = random.nextInt(3); breaks > 0; breaks--) {
                network.after(time(40), () -> breaks(node, station));
            }
        }
        if (isCruel) {
            network.after(time(40), () -> hit(node, launcher));
        }
    }

    private void breaks(int node, MemoryLink station) {
        tell(node, "loses its connection");
        station.breakConnection();
    }

    private void end(int node, ActingLauncher launcher, boolean follows) {
        int choice = random.nextInt(6);
        if (choice == 0 || (choice == 1 && follows)) {
            fails(node, launcher, () -> launcher.fails(3));
        } else if (choice == 1) {
            fails(node, launcher, () -> launcher.isTold(15));
        } else {
            tell(node, "succeeds");
            launcher.succeeds();
        }
    }

    private void fails(int node, ActingLauncher launcher, Runnable how) {
        int before = launcher.heard().size();
        boolean wasStopped =
                !launcher.isAlive() || launcher.heard().stream().anyMatch(event -> !(event instanceof Heard.ProcessIs));
        if (!wasStopped && before >= 0) {
            tell(node, "fails");
            ownCauses.put(LauncherNodes.ofNode(node), network.now());
        }
        how.run();
    }

    private void hit(int node, ActingLauncher launcher) {
        int choice = random.nextInt(8);
        if (choice < 2) {
            tell(node, "is killed");
            troubled.add(LauncherNodes.ofNode(node));
            launcher.station().kill();
        } else if (choice < 4) {
            long pause = choice == 2 ? time(8) : LONGEST * SECOND;
            tell(node, "is cut off for " + pause / SECOND + " s");
            troubled.add(LauncherNodes.ofNode(node));
            launcher.station().cutOff();
            network.after(pause, launcher.station()::reconnectNetwork);
        }
    }

    private void tell(int node, String what) {
        story.add(String.format("%.3f node %d %s", network.now() / 1e9, node, what));
    }

    private long time(int seconds) {
        return (long) (random.nextDouble() * seconds * SECOND);
    }

    private LinkSettings settings(int node) {
        return Rehearsal.settings(
                node, count, required, Duration.ofSeconds(20), Duration.ofSeconds(3), Duration.ofSeconds(60));
    }

    List<ActingLauncher> launchers() {
        return launchers;
    }

    /** The leader, and those that had a connection before the job was decided, and before their own part ended. */
    private Stream<ActingLauncher> linked() {
        long decidedAt = launchers.stream()
                .filter(launcher -> launcher.station().leads())
                .mapToLong(ActingLauncher::decidedAt)
                .findFirst()
                .orElse(Long.MAX_VALUE);
        return launchers.stream().filter(launcher -> {
            long connectedAt = launcher.station().connectedAt().orElse(Long.MAX_VALUE);
            long ownAt = ownCauses.getOrDefault(launcher.station().name(), Long.MAX_VALUE);
            return launcher.station().leads() || connectedAt < Math.min(decidedAt, ownAt);
        });
    }

    /** What those launchers heard that could hear their leader all the time. */
    Set<Heard> verdictsOfTheLinked() {
        if (troubled.contains(LauncherNodes.ofNode(0))) {
            return Set.of();
        }
        return linked().filter(launcher -> !troubled.contains(launcher.station().name()))
                .flatMap(launcher -> launcher.heard().stream())
                .filter(Heard.Decided.class::isInstance)
                .collect(Collectors.toSet());
    }

    /** Losses that were told although nobody was in trouble. */
    List<JobEnd> unfoundedLosses() {
        if (!troubled.isEmpty()) {
            return List.of();
        }
        return linked().flatMap(launcher -> launcher.heard().stream())
                .filter(Heard.Decided.class::isInstance)
                .map(event -> ((Heard.Decided) event).end())
                .filter(end -> end.kind() == JobEnd.Kind.LOST)
                .toList();
    }

    /** Launchers whose own cause was clearly before the one that the job's verdict names, on a calm network. */
    List<String> earlierThanNamed() {
        if (isRough || isCruel) {
            return List.of();
        }
        Set<String> linked = linked().map(launcher -> launcher.station().name()).collect(Collectors.toSet());
        ownCauses.keySet().retainAll(linked);
        return linked().flatMap(launcher -> launcher.verdict().stream())
                .filter(end -> ownCauses.containsKey(end.launcher()) && end.kind() != JobEnd.Kind.REFUSED)
                .flatMap(end -> ownCauses.entrySet().stream()
                        .filter(cause -> Objects.requireNonNull(ownCauses.get(end.launcher())) - cause.getValue()
                                > 2 * longestDelay)
                        .map(cause -> cause.getKey() + " before " + end))
                .toList();
    }

    @Override
    public String toString() {
        return "seed " + seed + (required ? ", required" : ", auto") + ", " + count + " nodes " + story;
    }
}
