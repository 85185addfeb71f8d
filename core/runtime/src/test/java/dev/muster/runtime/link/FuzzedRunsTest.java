package dev.muster.runtime.link;

import static dev.muster.runtime.link.FaultlessJob.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Jobs that restart in place succeed in the end. Random faults hit nodes, networks, ranks and the order of the rank table. */
@Tag("one-jdk")
class FuzzedRunsTest {

    /** The torture test multiplies this number with {@code muster.times}. */
    private static final int JOBS = 200 * Integer.getInteger("muster.times", 1);

    private static final int LIMIT = 20;
    private static final int FAULTS = 4;

    @Test
    void jobsSucceedInTheEnd() {
        for (long seed = 0; seed < JOBS; seed++) {
            succeeds(seed);
        }
    }

    private static void succeeds(long seed) {
        Random random = new Random(seed);
        MemoryNetwork network = new MemoryNetwork(seed, 20 * MILLI);
        int count = 2 + random.nextInt(3);
        List<RestartingNode> nodes = new ArrayList<>();
        List<Integer> table = new ArrayList<>(IntStream.range(0, count).boxed().toList());
        for (int index = 0; index < count; index++) {
            nodes.add(new RestartingNode(network, index, table, LIMIT));
        }
        for (int fault = 0; fault < FAULTS; fault++) {
            RestartingNode node = nodes.get(random.nextInt(count));
            int kind = random.nextInt(5);
            long duration = random.nextInt(30_000) * MILLI;
            network.after(random.nextInt(60_000) * MILLI, () -> {
                if (kind == 4) {
                    Collections.shuffle(table, random);
                }
                happens(node, kind, duration);
            });
        }
        network.run(600);

        RestartingNode leader = nodes.stream()
                .filter(node -> node.leads() && node.hasSucceeded())
                .findFirst()
                .orElse(nodes.get(0));
        assertThat(nodes).as("seed %d", seed).allMatch(node -> node.hasSucceeded() || node.missesTheEndOf(leader));
        assertThat(nodes.stream().map(RestartingNode::begun).distinct())
                .as("seed %d: %s", seed, nodes)
                .hasSize(1);
    }

    private static void happens(RestartingNode node, int kind, long duration) {
        switch (kind) {
            case 0 -> node.isReplaced(duration);
            case 1 -> node.isCutOff(duration);
            case 2 -> node.isFrozen(duration);
            default -> node.rankFails();
        }
    }
}
