package dev.muster.engine.ascend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.CardChoice;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.PlanException.Kind;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class OwnNodeTest {

    private static TestJob pods() {
        return new TestJob().table(TemplateTwoTest.TWO_NODES);
    }

    private static TestJob servers() {
        return new TestJob().table(TemplateOneTest.TWO_SERVERS);
    }

    private static List<Integer> ranks(TestJob job) {
        return TestJob.ranks(job.plan());
    }

    @Test
    void unknownPodIsRefusedWithThoseThatThereAre() {
        pods().pod("x-1")
                .assertRefused(
                        Kind.DATA,
                        TestJob.TABLE_PATH + ", /group_list: pod \"x-1\" (MA_CURRENT_INSTANCE_NAME) is not in the rank"
                                + " table; it lists: jobx-worker-0, jobx-worker-1 (2). ");
    }

    @Test
    void podWithoutNameIsFoundByItsIndexWherePlatformsWriteNoTables() {
        assertThat(ranks(pods().onSlurm().node(1, 2))).containsExactly(2);
        assertThat(ranks(pods().node(0, 2))).containsExactly(0, 1);
    }

    @Test
    void podWithoutNameOnAPlatformIsAMistakeOfThePlatform() {
        pods().onModelArts().node(1, 2).assertRefused(Kind.CONFIGURATION, "MA_CURRENT_INSTANCE_NAME", "(2)");
        pods().onSlurm().assertRefused(Kind.DATA, "several pods and no way to tell", "--node-index");
    }

    @Test
    void podWithoutNameAndPlatformIsTheOnlyOneOrThatOnThisMachine() {
        String onlyPod = """
                {'group_list': [{'device_count': '1', 'instance_list': [
                  {'pod_name': 'solo', 'server_id': 's', 'devices': [{'device_id': '0'}]}]}]}
                """;

        assertThat(ranks(new TestJob().table(onlyPod))).containsExactly(0);
        assertThat(ranks(pods().machine("box", "192.168.0.26", "127.0.0.1"))).containsExactly(2);
        assertThat(ranks(pods().machine("jobx-worker-0", "10.0.0.9"))).containsExactly(0, 1);
        pods().assertRefused(Kind.DATA, "/group_list: several pods and no way to tell which is mine", "--node-index");
    }

    @Test
    void podsOnOneServerAreNotToldApartByItsAddress() {
        TestJob job = new TestJob().table(TemplateTwoTest.TWO_NODES.replace("192.168.0.26", "192.168.0.25"));

        job.machine("box", "192.168.0.25").assertRefused(Kind.DATA, "several pods and no way to tell");
    }

    @Test
    void theOnlyServerIsMineWhateverItIsCalled() {
        assertThat(ranks(new TestJob().table(TemplateOneTest.ONE_SERVER).hostAddress("1.2.3.4")))
                .containsExactly(1, 0);
    }

    @Test
    void theOnlyServerIsRefusedWhenItHasAnotherAddress() {
        String table = TemplateOneTest.ONE_SERVER.replace("node_0", "10.0.0.10");

        for (String other : List.of("10.0.0.1", "0.0.0.10", "10.0.0.100", "10.0.0.10 ", "10.0.0.*")) {
            new TestJob()
                    .table(table)
                    .address(other, "XDL_IP")
                    .assertRefused(
                            Kind.DATA,
                            "/server_list: server \"" + other + "\" (XDL_IP) is not in the rank table; it lists:"
                                    + " 10.0.0.10 (1). Check the address");
        }
        assertThat(ranks(new TestJob().table(table).address("10.0.0.10", "XDL_IP")))
                .containsExactly(1, 0);
        assertThat(ranks(new TestJob().table(table))).containsExactly(1, 0);
    }

    @Test
    @DisplayName("a table that lists other hosts may be rewritten, and a table without servers stays wrong")
    void aTableOfOthersIsKnownAsSuch() {
        String table = TemplateOneTest.ONE_SERVER.replace("node_0", "10.0.0.10");

        assertThat(new TestJob()
                        .table(table)
                        .address("10.0.0.1", "XDL_IP")
                        .refusal()
                        .absence())
                .contains("server \"10.0.0.1\" (XDL_IP) is not in the rank table; it lists: 10.0.0.10 (1)");
        assertThat(new TestJob()
                        .table("{\"status\":\"completed\"}")
                        .address("10.0.0.1", "XDL_IP")
                        .refusal()
                        .absence())
                .isEmpty();
    }

    @Test
    void theOnlyServerIsTakenUnseenWhereModelArtsNamesATableOfTemplateOne() {
        TestJob job = new TestJob()
                .onModelArts()
                .table(TemplateOneTest.ONE_SERVER.replace("node_0", "10.0.0.10"))
                .variable("RANK_TABLE_FILE_V_1_0", "/user/config/v1.json")
                .hostAddress("10.0.0.1");

        assertThat(ranks(job)).containsExactly(1, 0);
        job.option("rank-table", "/mine.json").assertRefused(Kind.DATA, "10.0.0.1\" (MA_CURRENT_HOST_IP)");
    }

    @Test
    void serverIsNeverFoundByItsIndexWhenItsAddressIsKnown() {
        String table =
                TemplateOneTest.TWO_SERVERS.replace("192.168.0.25", "10.0.0.1").replace("192.168.0.26", "10.0.0.10");

        assertThat(ranks(new TestJob()
                        .onMindXDl()
                        .table(table)
                        .address("10.0.0.10", "XDL_IP")
                        .node(0, 2)))
                .containsExactly(2, 3);
    }

    @Test
    void containersOnOneHostAreToldApartByTheirOwnAddresses() {
        String table = TemplateOneTest.TWO_SERVERS
                .replace("172.16.0.26", "172.16.0.25")
                .replace("'172.16.0.25', 'device'", "'172.16.0.25', 'container_ip': '10.244.0.6', 'device'");
        TestJob job = new TestJob().table(table).address("172.16.0.25", "XDL_IP");

        assertThat(ranks(job.machine("pod", "10.244.0.6", "127.0.0.1"))).containsExactly(0, 1);
        assertThat(ranks(job.machine("pod", "10.244.0.7", "127.0.0.1"))).containsExactly(2, 3);
        job.machine("pod", "10.244.0.8")
                .assertRefused(Kind.DATA, "several servers", "Address \"172.16.0.25\" (XDL_IP) is that of 2 of them");
    }

    @Test
    void podWithoutNameIsFoundByTheAddressOfItsServer() {
        TestJob job = pods().onMindXDl();

        job.assertRefused(
                Kind.CONFIGURATION,
                "XDL_IP is not set, so it is unknown which pod",
                "(2). Set it to the name or address of this pod");
        assertThat(ranks(job.address("192.168.0.26", "XDL_IP"))).containsExactly(2);
        job.address("192.168.0.2", "XDL_IP")
                .assertRefused(
                        Kind.DATA,
                        "server \"192.168.0.2\" (XDL_IP) is not in the rank table; it lists: 192.168.0.25,"
                                + " 192.168.0.26 (2)");
    }

    @Test
    void serverIsFoundByTheAddressThatThePlatformKnows() {
        assertThat(ranks(servers().hostAddress("192.168.0.26"))).containsExactly(2, 3);
        assertThat(ranks(servers().hostAddress("172.16.0.25"))).containsExactly(0, 1);
        assertThat(ranks(servers().hostAddress("10.244.0.7"))).containsExactly(2, 3);
    }

    @Test
    void serverIsFoundByTheMachinesOwnAddressOrName() {
        assertThat(ranks(servers().machine("box", "192.168.0.25", "127.0.0.1"))).containsExactly(0, 1);
        assertThat(ranks(servers().machine("192.168.0.26", "10.0.0.9"))).containsExactly(2, 3);
    }

    @Test
    void loopbackAddressesTellNothing() {
        TestJob job = new TestJob().table(TemplateOneTest.TWO_SERVERS.replace("192.168.0.25", "127.0.0.1"));

        assertThat(ranks(job.machine("box", "127.0.0.1").node(1, 2))).containsExactly(2, 3);
    }

    @Test
    void serverIsFoundByIndexWhenNothingElseTells() {
        assertThat(ranks(servers().node(1, 2))).containsExactly(2, 3);
        servers()
                .node(1, 3)
                .assertRefused(Kind.DATA, "several servers and no way to tell", "The job has 3 nodes: correct --nodes");
        servers().node(2, 2).assertRefused(Kind.DATA, "several servers and no way to tell");
    }

    @Test
    void machinesOwnAddressTellsMoreThanItsIndex() {
        assertThat(ranks(servers().machine("box", "192.168.0.26").node(0, 2))).containsExactly(2, 3);
    }

    @Test
    void serversAreCountedInTheOrderOfTheirRanksNotOfTheFile() {
        String table = TemplateOneTest.ONE_SERVER.replace(
                "'server_list': [",
                "'server_list': [{'server_id': 'last', 'device': [{'device_id': '0', 'device_ip': '10.0.1.1', 'rank_id': '2'},"
                        + " {'device_id': '1', 'device_ip': '10.0.1.2', 'rank_id': '3'}]}, ");
        TestJob job = new TestJob()
                .table(table.replace("'server_count': '1'", "'server_count': '2'")
                        .replace("'device_ip': '', ", "'device_ip': '10.0.1.3', ")
                        .replace("'device_id': '4', ", "'device_id': '4', 'device_ip': '10.0.1.4', "));

        assertThat(ranks(job.node(0, 2))).containsExactly(1, 0);
        assertThat(ranks(job.node(1, 2))).containsExactly(2, 3);
    }

    @Test
    void severalServersAndNothingThatTellsIsRefused() {
        servers()
                .assertRefused(
                        Kind.DATA,
                        TestJob.TABLE_PATH + ", /server_list: several servers and no way to tell which is mine",
                        "192.168.0.25, 192.168.0.26 (2)",
                        "--node-index");
        servers().onModelArts().assertRefused(Kind.DATA, "several servers", "Set MA_CURRENT_HOST_IP", "--node-index");
    }

    @Test
    void serversWithTheSameAddressAreToldApartByIndex() {
        String table = TemplateOneTest.TWO_SERVERS.replace("172.16.0.26", "172.16.0.25");
        TestJob job = new TestJob().table(table).hostAddress("172.16.0.25");

        job.assertRefused(Kind.DATA, "several servers and no way to tell");
        assertThat(ranks(job.node(1, 2))).containsExactly(2, 3);
    }

    @Test
    void optionsThatContradictTheTableAreRefused() {
        servers()
                .hostAddress("192.168.0.25")
                .cards(4)
                .assertRefused(
                        Kind.CONFIGURATION, "--cards asks for 4 cards", TestJob.TABLE_PATH, "lists 2", "192.168.0.25");
        pods().pod("jobx-worker-1")
                .cardIds(0, 1)
                .assertRefused(Kind.CONFIGURATION, "--card-ids asks for cards 0-1", "lists cards 6");
        new TestJob()
                .table("{'group_list': [{'device_count': '0', 'instance_list': []}]}")
                .cards(1)
                .assertRefused(Kind.CONFIGURATION, "--cards asks for 1 card,", "lists 0");
    }

    @Test
    void optionsThatAgreeWithTheTableAndVariablesThatDoNotAreAccepted() {
        LaunchPlan agreeing = pods().pod("jobx-worker-0").cards(2).plan();
        LaunchPlan contradicting = pods().pod("jobx-worker-0")
                .cards(new CardChoice(OptionalInt.of(8), List.of(), "MA_NUM_GPUS", false, List.of()))
                .plan();

        assertThat(TestJob.ranks(agreeing)).containsExactly(0, 1);
        assertThat(TestJob.ranks(contradicting)).containsExactly(0, 1);
        assertThat(TestJob.warnings(contradicting))
                .singleElement()
                .asString()
                .contains("MA_NUM_GPUS speaks of 8 cards", "lists 2", "these are used");
    }

    @Test
    @DisplayName("with several nodes, the only entry of a table is refused unless an address or a name matches")
    void anOnlyEntryIsNotEveryNodes() {
        String server = """
                {'status': 'completed', 'version': '1.0', 'server_count': '1', 'server_list': [
                  {'server_id': '10.0.0.1', 'device': [
                    {'device_id': '0', 'device_ip': '192.1.1.1', 'rank_id': '0'}]}]}
                """;
        String pod = """
                {'group_list': [{'device_count': '1', 'instance_list': [
                  {'pod_name': 'solo', 'server_id': 's', 'devices': [{'device_id': '0'}]}]}]}
                """;

        for (int index = 0; index < 2; index++) {
            new TestJob()
                    .table(server)
                    .node(index, 2)
                    .assertRefused(
                            Kind.DATA,
                            "/server_list: one server, in a job of 2 nodes, and no way to tell whether it is mine; it"
                                    + " lists: 10.0.0.1 (1)",
                            "--node-index");
            new TestJob().table(pod).node(index, 2).assertRefused(Kind.DATA, "/group_list: one pod, in a job of 2");
        }
        assertThat(ranks(new TestJob().table(server).node(1, 2).machine("box", "10.0.0.1")))
                .containsExactly(0);
        assertThat(ranks(new TestJob().table(server).node(0, 1))).containsExactly(0);
    }

    @Test
    void nodesWithoutCardsSayThatEachIsAlone() {
        String servers = """
                {'status': 'completed', 'version': '1.0', 'server_count': '2', 'server_list': [
                  {'server_id': '10.0.0.1', 'device': []}, {'server_id': '10.0.0.2', 'device': []}]}
                """;

        LaunchPlan plan = new TestJob().table(servers).node(1, 2).plan();

        assertThat(TestJob.ranks(plan)).containsExactly(0);
        assertThat(plan.notes()).anyMatch(note -> note.text().endsWith("as each of 2 nodes does by itself"));
    }

    /** The launcher on this node waits for no other launcher, and reports the success of the whole job. */
    @Test
    void theOnlyNodeWithCardsSaysThatItIsAlone() {
        String servers = """
                {'status': 'completed', 'version': '1.0', 'server_count': '2', 'server_list': [
                  {'server_id': '10.0.0.1', 'device': [{'device_id': '0', 'device_ip': '10.1.0.1', 'rank_id': '0'}]},
                  {'server_id': '10.0.0.2', 'device': []}]}
                """;

        assertThat(new TestJob().table(servers).node(0, 2).plan().notes())
                .anyMatch(note -> note.text()
                        .equals("all ranks are on this node: the table lists no cards of the other one. Start nothing"
                                + " there"));
        assertThat(servers().node(0, 2).plan().notes())
                .noneMatch(note -> note.text().startsWith("all ranks"));
    }

    @Test
    void foreignTextCannotGarbleMessages() {
        pods().pod("x\n\u001b[31m").assertRefused(Kind.DATA, "pod \"x\\n\\u001b[31m\"");
        pods().pod("x".repeat(5000)).assertRefused(Kind.DATA, "xxx...\" (MA_CURRENT_INSTANCE_NAME)");
    }
}
