package dev.muster.engine.pytorch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.InputValue;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.RequiredPort;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Each node plans alone, and the plans of all nodes fit together. The jobs are random, with fixed seeds. */
class AgreementTest {

    private static final int JOBS = 300;

    /** A random job: the settings that all nodes share, in each mode. */
    private record Drawn(String id, int nodes, int cards, List<String> hosts, boolean modelArts) {

        static Drawn from(Random random) {
            int nodes = 2 + random.nextInt(6);
            List<String> hosts = new ArrayList<>();
            String domain = "svc" + random.nextInt(1000);
            for (int node = 0; node < nodes; node++) {
                hosts.add("worker-" + node + "." + domain);
            }
            String id = Integer.toString(random.nextInt(), 36);
            return new Drawn(id, nodes, 1 + random.nextInt(8), hosts, random.nextInt(4) == 0);
        }

        LaunchPlan plan(int index, String mode) {
            TestJob job = new TestJob()
                    .id(id)
                    .processes(mode)
                    .node(index, nodes)
                    .cards(cards)
                    .hosts(hosts.toArray(String[]::new))
                    .variable("RANK", Integer.toString(index))
                    .variable("WORLD_SIZE", Integer.toString(nodes))
                    .input("torchrun", new InputValue.Program("/bin/torchrun"));
            return modelArts ? job.onModelArts().plan() : job.plan();
        }

        List<LaunchPlan> plans(String mode) {
            return IntStream.range(0, nodes)
                    .mapToObj(index -> plan(index, mode))
                    .toList();
        }
    }

    private static List<Drawn> jobs() {
        return IntStream.range(0, JOBS)
                .mapToObj(seed -> Drawn.from(new Random(seed)))
                .toList();
    }

    @Test
    void allNodesMeetAtTheSamePlaceInEveryMode() {
        for (Drawn job : jobs()) {
            Set<String> places = new HashSet<>();
            job.plans("per-node").forEach(plan -> places.add(TestJob.words(plan).get(4)));
            for (LaunchPlan plan : job.plans("per-card")) {
                for (int process = 0; process < job.cards(); process++) {
                    places.add("tcp://" + TestJob.variable(plan, process, "MASTER_ADDR") + ":"
                            + TestJob.variable(plan, process, "MASTER_PORT"));
                }
            }
            for (LaunchPlan plan : job.plans("torchrun")) {
                List<String> words = TestJob.words(plan);
                places.add("tcp://" + words.get(words.indexOf("--master_addr") + 1) + ":"
                        + words.get(words.indexOf("--master_port") + 1));
            }
            assertThat(places).as("%s", job).hasSize(1);
        }
    }

    @Test
    void exactlyTheFirstNodeListensInEveryMode() {
        for (Drawn job : jobs()) {
            for (String mode : List.of("per-node", "per-card", "torchrun")) {
                List<LaunchPlan> plans = job.plans(mode);
                int port = plans.get(0).ports().get(0).port();

                assertThat(plans.get(0).ports()).hasSize(1);
                assertThat(port)
                        .satisfiesAnyOf(
                                number -> assertThat(number).isBetween(10_001, 24_999),
                                number -> assertThat(number).isEqualTo(6666));
                assertThat(plans.stream()
                                .skip(1)
                                .flatMap(plan -> plan.ports().stream())
                                .map(RequiredPort::port))
                        .isEmpty();
            }
        }
    }

    @Test
    void jobsNumberedOneAfterTheOtherHavePortsOfTheirOwn() {
        Set<String> ports = new HashSet<>();
        for (int number = 0; number < 100; number++) {
            String id = "nightly-" + number / 10 + number % 10;
            ports.add(new TestJob()
                    .processes("per-node")
                    .id(id)
                    .node(0, 2)
                    .hosts("a", "b")
                    .words()
                    .get(4));
        }
        assertThat(ports).hasSize(100);
    }
}
