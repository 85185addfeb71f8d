package dev.muster.engine.ascend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.Host;
import dev.muster.spi.LauncherNodes;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** If only the rank table lists the nodes, the launchers find each other by it. */
class TableLaunchersTest {

    @Test
    void podsAreReachedByTheirNamesBeforeTheirServers() {
        LauncherNodes launchers =
                launchers(new TestJob().table(TemplateTwoTest.TWO_NODES).node(1, 2));

        assertThat(launchers.own()).isEqualTo("node-1");
        assertThat(launchers.leader()).isEqualTo("node-0");
        assertThat(launchers.leading().host()).contains(Host.of("jobx-worker-0", Optional.of("192.168.0.25")));
        assertThat(launchers.required()).isFalse();
    }

    @Test
    void containersAreReachedByTheirAddressesBeforeTheirServers() {
        LauncherNodes launchers = launchers(new TestJob().table(servers()).hostAddress("10.0.0.2"));

        assertThat(launchers.own()).isEqualTo("node-1");
        assertThat(launchers.all())
                .extracting(peer -> peer.host().orElseThrow())
                .containsExactly(
                        Host.of("172.16.0.1", Optional.of("10.0.0.1")), Host.of("172.16.0.2", Optional.of("10.0.0.2")));
    }

    @Test
    void serversOfWhichNothingElseIsKnownAreReachedByTheirIds() {
        String table =
                servers().replace(", 'container_ip': '172.16.0.1'", "").replace(", 'container_ip': '172.16.0.2'", "");

        assertThat(launchers(new TestJob().table(table).hostAddress("10.0.0.1"))
                        .leading()
                        .host())
                .contains(Host.of("10.0.0.1", Optional.empty()));
    }

    @Test
    void whatPlatformOrUserSaysComesFirst() {
        TestJob job = new TestJob()
                .table(TemplateTwoTest.TWO_NODES)
                .pod("jobx-worker-1")
                .hosts("a", "b")
                .node(0, 2);

        assertThat(job.plan().launchers()).isEmpty();
    }

    @Test
    void anOnlyNodeHasNoOthers() {
        assertThat(new TestJob().table(TemplateOneTest.ONE_SERVER).plan().launchers())
                .isEmpty();
    }

    private static LauncherNodes launchers(TestJob job) {
        return job.plan().launchers().orElseThrow();
    }

    private static String servers() {
        return """
                {'version': '1.0', 'status': 'completed', 'server_count': '2', 'server_list': [
                  {'server_id': '10.0.0.1', 'container_ip': '172.16.0.1', 'device': [
                    {'device_id': '0', 'device_ip': '192.1.1.1', 'rank_id': '0'}]},
                  {'server_id': '10.0.0.2', 'container_ip': '172.16.0.2', 'device': [
                    {'device_id': '0', 'device_ip': '192.1.1.2', 'rank_id': '1'}]}]}
                """;
    }
}
