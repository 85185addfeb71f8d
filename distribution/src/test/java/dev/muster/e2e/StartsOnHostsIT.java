package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The platform starts a whole job of three hosts again, with the same id, on the same hosts: nothing of the start before is in the way
 * on any of them, neither sshd's port and keys, nor ports of ps and workers, the link's port, or ranks that are still ending.
 */
@Tag("torture")
@ExtendWith(Scenes.class)
class StartsOnHostsIT {

    private static final int NODES = 3;
    private static final int TIMES = 13;
    /** How far launchers may be when they end. */
    private static final int LATEST_MILLIS = 2500;

    private static final int UNTIL_THE_NEXT_MILLIS = 1000;
    private static final List<LauncherKill> KILLS =
            List.of(LauncherKill.OF_INNER, LauncherKill.OF_EVERYTHING, LauncherKill.OF_THE_CONTAINER);

    @Test
    @DisplayName(
            "13.2 all launchers of three hosts are killed and started again at once, of every engine: all go through")
    void aWholeJobIsStartedAgain(Scene scene) {
        long seed = Long.getLong("muster.starts.seed", System.currentTimeMillis() % 1_000_000_000);
        Random random = new Random(seed);
        TestHosts hosts = TestHosts.in(scene, NODES);
        for (LinkEngine engine : LinkEngine.values()) {
            for (int time = 0; time < TIMES; time++) {
                LauncherKill kill = KILLS.get(time % KILLS.size());
                LinkJob.Form form = time % 2 == 0 ? LinkJob.Form.OPTIONS : LinkJob.Form.PLATFORM;
                String name = "again" + time;
                try {
                    once(scene, new LinkJob(scene, hosts, engine, form, name), kill, random);
                } catch (AssertionError | RuntimeException broken) {
                    throw new AssertionError(
                            engine.id() + ", " + name + " of seed " + seed + ", " + kill + ": " + broken.getMessage(),
                            broken);
                }
            }
        }
        System.out.println("starts on hosts: " + LinkEngine.values().length * TIMES + " went through, seed " + seed);
    }

    private static void once(Scene scene, LinkJob job, LauncherKill kill, Random random) {
        for (int node = 0; node < NODES; node++) {
            job.behind(node, kill.place());
        }
        job.script("[ ! -e $notes/over ] || exit 0", "trap '' TERM", "note waits", "while :; do sleep 0.05; done");
        job.startOnly(0, 1, 2);
        if (random.nextInt(3) > 0) {
            job.awaitNotes("waits");
        } else {
            FaultInjection.pass(random.nextInt(LATEST_MILLIS));
        }
        List<OnHost> first = IntStream.range(0, NODES).mapToObj(job::launched).toList();
        kill.happen(first.stream().map(OnHost::script).toList(), () -> Processes.pidsTagged(scene.tag()));
        FaultInjection.pass(random.nextInt(UNTIL_THE_NEXT_MILLIS));
        job.notes().mark("over");
        job.startOnly(0, 1, 2).end(0);
        JsonNode whole = job.result(0);
        assertThat(whole.path("nodes")).as("%s: %s", job.id(), whole).hasSize(NODES);
        first.forEach(OnHost::await);
        assertNothingIsLeft(scene, job);
    }

    /** What mpirun keeps by its pid it clears away itself before it uses it. */
    private static void assertNothingIsLeft(Scene scene, LinkJob job) {
        Await.until(
                Await.LONG,
                () -> "nothing runs; there are " + Processes.tagged(scene.tag()),
                () -> Processes.tagged(scene.tag()).isEmpty());
        for (int node = 0; node < NODES; node++) {
            assertThat(job.host(node)
                            .shell("ls -A /tmp | grep -v '^ompi[.]\\|^muster-e2e-' || :")
                            .output())
                    .as("left in /tmp of node %s", node)
                    .isEmpty();
            job.host(node).assertNobodyListens();
        }
    }
}
