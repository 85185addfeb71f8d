package dev.muster.engine.tensorflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.Host;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.LauncherNodes;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The launchers of a job, the leader, and the values that must be equal on all nodes. */
class LinkTest {

    @Test
    void wholeNodesAreCalledByTheirIndexAndTheFirstLeads() {
        LauncherNodes launchers = lists().node(1, 2).link().orElseThrow();

        assertThat(launchers)
                .isEqualTo(LauncherNodes.of("node-1", "node-0", peers("node-0", "a", "node-1", "b"))
                        .needed());
    }

    @Test
    void containersOfOneRoleAreCalledAsTheirProcessesAndWorkerZeroLeads() {
        LauncherNodes launchers = lists().role("ps", 1).link().orElseThrow();

        assertThat(launchers)
                .isEqualTo(LauncherNodes.of(
                                "ps-1", "worker-0", peers("ps-0", "a", "ps-1", "b", "worker-0", "a", "worker-1", "b"))
                        .needed());
        assertThat(lists().role("worker", 0)
                        .option("tf-config", "chief")
                        .link()
                        .orElseThrow()
                        .leads())
                .isTrue();
    }

    @Test
    void hostsOfComputedListsAreThePlatforms() {
        LauncherNodes nodes = new TestJob().hosts("a", "b").node(1, 2).link().orElseThrow();
        LauncherNodes roles = new TestJob()
                .hostsOf("ps", "p")
                .hostsOf("worker", "a", "b")
                .role("worker", 1)
                .link()
                .orElseThrow();

        assertThat(nodes.all()).isEqualTo(peers("node-0", "a", "node-1", "b"));
        assertThat(roles.all()).isEqualTo(peers("ps-0", "p", "worker-0", "a", "worker-1", "b"));
        assertThat(roles.leader()).isEqualTo("worker-0");
    }

    @Test
    void theChiefsContainerLeadsWhereThePlatformSaysWhoThatIs() {
        String config = "{'cluster':{'chief':['c:1'],'ps':['p:1'],'worker':['w:1'],'evaluator':['e:1']},"
                + "'task':{'type':'evaluator','index':0}}";

        LauncherNodes launchers = new TestJob().onTfJob(config).link().orElseThrow();

        assertThat(launchers)
                .isEqualTo(LauncherNodes.of(
                                "evaluator-0",
                                "chief-0",
                                peers("ps-0", "p", "worker-0", "w", "chief-0", "c", "evaluator-0", "e"))
                        .needed());
        LaunchPlan plan = new TestJob().onTfJob(config).plan();
        assertThat(plan.equal())
                .containsEntry("tf-config", "chief")
                .containsEntry("addresses of ps", "p:1")
                .containsEntry("addresses of evaluator", "e:1");
    }

    @Test
    void workersAmongThemselvesCanDoWithoutEachOther() {
        LauncherNodes nodes =
                lists().node(0, 2).option("tf-config", "workers").link().orElseThrow();
        LauncherNodes roles =
                lists().role("worker", 1).option("tf-config", "workers").link().orElseThrow();

        assertThat(nodes).isEqualTo(LauncherNodes.of("node-0", "node-0", peers("node-0", "a", "node-1", "b")));
        assertThat(roles).isEqualTo(LauncherNodes.of("worker-1", "worker-0", peers("worker-0", "a", "worker-1", "b")));
    }

    @Test
    void whoIsAloneHasNobodyToTellAnything() {
        assertThat(new TestJob().link()).isEmpty();
        assertThat(new TestJob().lists("a:1", "a:2").link()).isEmpty();
        assertThat(new TestJob().onModelArts().node(0, 1).link()).isEmpty();
        assertThat(new TestJob()
                        .onTfJob("{'cluster':{'worker':['a:1']},'task':{'type':'worker','index':0}}")
                        .link())
                .isEmpty();
    }

    /** The ps has no work and ends at once, so no launcher waits for it. */
    @Test
    void aPsThatTheScriptHasNoUseForIsNoneOfThem() {
        assertThat(lists().role("ps", 0).option("tf-config", "workers").link()).isEmpty();
    }

    /** The other containers do not know this one, or do not know each other. */
    @Test
    void whoIsNotKnownToAllIsNoneOfThem() {
        assertThat(new TestJob()
                        .onTfJob("{'cluster':{'worker':['a:2','b:2']},'task':{'type':'evaluator','index':0}}")
                        .link())
                .isEmpty();
        assertThat(new TestJob()
                        .onTfJob("{'cluster':{'worker':{'1':'a:2'},'ps':['p:1']},'task':{'type':'worker','index':1}}")
                        .link())
                .isEmpty();
        assertThat(new TestJob()
                        .onTfJob("{'cluster':{'worker':{},'ps':['p:1']},'task':{'type':'ps','index':0}}")
                        .link())
                .isEmpty();
    }

    // --- what must be equal

    @Test
    void listsMustBeTheSameOnAllNodes() {
        assertThat(lists().node(1, 2).plan().equal())
                .containsEntry("tf-config", "ps")
                .containsEntry("addresses of ps", "a:1,b:1")
                .containsEntry("addresses of worker", "a:2,b:2")
                .hasSize(3);
    }

    private static TestJob lists() {
        return new TestJob().lists("a:1,b:1", "a:2,b:2");
    }

    /** @param namesAndHosts a launcher's name, then its host, and so on */
    private static List<LauncherNodes.Peer> peers(String... namesAndHosts) {
        return IntStream.range(0, namesAndHosts.length / 2)
                .mapToObj(i -> new LauncherNodes.Peer(
                        namesAndHosts[2 * i], Optional.of(Host.of(namesAndHosts[2 * i + 1], Optional.empty()))))
                .toList();
    }
}
