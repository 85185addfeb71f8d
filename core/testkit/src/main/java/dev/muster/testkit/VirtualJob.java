package dev.muster.testkit;

import dev.muster.runtime.launch.EngineResources;
import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.link.LinkKey;
import dev.muster.runtime.link.LinkSettings;
import dev.muster.runtime.link.MemoryLink;
import dev.muster.runtime.link.MemoryNetwork;
import dev.muster.spi.Engine;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Launchers;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The launchers of a whole job in memory, whose link loses, doubles, delays and reorders what they say, and whose processes and
 * launchers fail, are stopped and are cut off as a seed wants it.
 */
final class VirtualJob {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long LONGEST = 300;

    private final long seed;
    private final Random random;
    private final Cast cast;
    private final MemoryNetwork network;
    private final List<VirtualNode> nodes = new ArrayList<>();
    private final Set<VirtualNode> troubled = new HashSet<>();
    private final int failures;
    private final boolean isCruel;
    private final boolean isRough;
    private boolean isLeaderTroubled;

    VirtualJob(Cast cast, long seed) {
        this.cast = cast;
        this.seed = seed;
        random = new Random(seed);
        isCruel = random.nextInt(3) == 0;
        isRough = random.nextBoolean();
        failures = random.nextInt(3) == 0 ? 0 : 5 + random.nextInt(20);
        network = new MemoryNetwork(
                random.nextLong(),
                isRough ? random.nextInt(15) : 0,
                isRough ? random.nextInt(15) : 0,
                TimeUnit.MILLISECONDS.toNanos(1 + random.nextInt(isRough ? 200 : 20)));
    }

    /**
     * All launchers of a job.
     *
     * @param launchers as each of them sees them
     * @param plans of each of them
     */
    record Cast(List<Launchers> launchers, List<LaunchPlan> plans) {

        private static final Pattern OF_ROLE = Pattern.compile("(.+)-([0-9]+)");

        /** @param hasRoles whether the platform tells containers what they are */
        static Cast of(Engine engine, VirtualCluster cluster, int count, boolean hasRoles) throws PlanException {
            Cast cast = new Cast(new ArrayList<>(), new ArrayList<>());
            for (int node = 0; node < count; node++) {
                cast.add(engine, cluster.request(node, hasRoles ? Optional.of("worker") : Optional.empty()));
            }
            for (String name : hasRoles && cast.isLinked() ? cast.missing() : List.<String>of()) {
                Matcher role = OF_ROLE.matcher(name);
                if (role.matches()) {
                    int index = Integer.parseInt(role.group(2));
                    cast.add(engine, cluster.request(index, Optional.of(role.group(1))));
                }
            }
            return cast;
        }

        private void add(Engine engine, PlanRequest request) throws PlanException {
            LaunchPlan plan = EngineResources.read(engine.plan(request), engine.getClass());
            plans.add(plan);
            engine.link(request.job(), request.node())
                    .or(plan::launchers)
                    .filter(known -> known.all().size() > 1)
                    .ifPresent(launchers::add);
        }

        private List<String> missing() {
            List<String> names = new ArrayList<>();
            launchers.get(0).all().forEach(peer -> names.add(peer.name()));
            launchers.forEach(known -> names.remove(known.own()));
            return names;
        }

        /** Without a link every node is on its own; and what only machines can tell cannot be played. */
        boolean isLinked() {
            return launchers.size() == plans.size() && plans.stream().allMatch(VirtualWorld::canPlay);
        }
    }

    void run() {
        for (int node = 0; node < cast.plans().size(); node++) {
            int index = node;
            network.after(time(8), () -> come(index));
        }
        network.run(LONGEST);
    }

    private void come(int index) {
        Launchers known = cast.launchers().get(index);
        MemoryLink link = network.open(settings(known), "run-" + index, "host-" + index, random.nextLong() / 4);
        VirtualNode node =
                new VirtualNode(network, link, cast.plans().get(index), new Random(random.nextLong()), failures);
        nodes.add(node);
        network.after(time(3), node::begin);
        if (failures > 0 && random.nextInt(6) == 0) {
            network.after(time(25), node::terminate);
        }
        if (isRough) {
            for (int breaks = random.nextInt(3); breaks > 0; breaks--) {
                network.after(time(30), link::breakConnection);
            }
        }
        if (isCruel && random.nextInt(3) == 0) {
            network.after(time(25), () -> hit(node));
        }
    }

    private void hit(VirtualNode node) {
        if (!node.isAlive()) {
            return;
        }
        troubled.add(node);
        isLeaderTroubled |= node.link().leads();
        if (random.nextBoolean()) {
            node.kill();
        } else {
            node.link().cutOff();
            network.after(random.nextBoolean() ? time(6) : LONGEST * SECOND, node.link()::reconnectNetwork);
        }
    }

    private static LinkSettings settings(Launchers known) {
        return new LinkSettings(
                VirtualCluster.JOB_ID,
                known,
                known.required(),
                new LinkKey.Known(new byte[1], "conformance"),
                List.of(1),
                Duration.ofSeconds(20),
                VirtualNode.GRACE,
                Duration.ofSeconds(60));
    }

    private long time(int seconds) {
        return (long) (random.nextDouble() * seconds * SECOND);
    }

    /** Launchers that live and have not ended, though all should have. */
    List<VirtualNode> endless() {
        return nodes.stream().filter(VirtualNode::isAlive).toList();
    }

    /** How those have heard that the job ended that could hear it; once each. */
    Set<JobEnd> ends() {
        Set<JobEnd> ends = new HashSet<>();
        if (!isLeaderTroubled) {
            nodes.stream()
                    .filter(node -> !troubled.contains(node)
                            && (node.link().leads() || node.link().connectedAt().isPresent()))
                    .flatMap(node -> node.heard().stream())
                    .forEach(ends::add);
        }
        return ends;
    }

    /** Launchers that ended with something else than 0, though nothing had failed anywhere. */
    List<VirtualNode> failedForNothing() {
        boolean isQuiet = troubled.isEmpty() && nodes.stream().noneMatch(VirtualNode::hasFailures);
        return isQuiet
                ? nodes.stream()
                        .filter(node -> node.verdict().isPresent() && node.exitCode() != 0)
                        .toList()
                : List.of();
    }

    @Override
    public String toString() {
        return "seed " + seed + (isRough ? ", rough" : "") + (isCruel ? ", cruel" : "") + " " + nodes;
    }
}
