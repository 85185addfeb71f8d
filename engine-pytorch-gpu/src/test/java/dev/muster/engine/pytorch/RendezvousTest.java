package dev.muster.engine.pytorch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.PlanException.Kind;
import dev.muster.spi.RequiredPort;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RendezvousTest {

    private static TestJob nodes() {
        return new TestJob().node(1, 2).option("master-port", "7000");
    }

    private static String url(TestJob job) {
        return job.processes("per-node").words().get(4);
    }

    @Test
    void severalNodesMeetAtTheFirstHostAsThePlatformHasIt() {
        assertThat(url(nodes().hosts("Job-0.svc", "job-1.svc"))).isEqualTo("tcp://Job-0.svc:7000");
        assertThat(url(nodes().host("job-0", "10.9.9.9"))).isEqualTo("tcp://10.9.9.9:7000");
    }

    @Test
    void theOptionWinsOverTheHosts() {
        assertThat(url(nodes().hosts("job-0", "job-1").option("master-addr", "10.0.0.5")))
                .isEqualTo("tcp://10.0.0.5:7000");
        assertThat(url(new TestJob().option("master-addr", "box.lan"))).isEqualTo("tcp://box.lan:<rendezvous>");
    }

    @ParameterizedTest
    @CsvSource({
        "fe80::1%eth0,[fe80::1%eth0]",
        "[fd00::5],[fd00::5]",
        "fd00::5,[fd00::5]",
        "::ffff:10.0.0.1,[::ffff:10.0.0.1]"
    })
    void anIpv6AddressHasBracketsInTheUrlAndNoneInTheVariable(String given, String inUrl) {
        TestJob job = nodes().option("master-addr", given);

        assertThat(url(job)).isEqualTo("tcp://" + inUrl + ":7000");
        assertThat(TestJob.variable(job.processes("per-card").plan(), "MASTER_ADDR"))
                .isEqualTo(inUrl.substring(1, inUrl.length() - 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "tcp://a", "10.0.0.1:29500", "a b", "[10.0.0.1]", "a/b", "a,b", "[]"})
    void anAddressThatIsNoneIsRefused(String address) {
        nodes().option("master-addr", address)
                .assertRefused(
                        Kind.USAGE,
                        "--master-addr=\"" + address + "\" is neither a host name nor an IP address. "
                                + "Give it without tcp:// and port; the port is --master-port P");
    }

    @Test
    void anOnlyNodeUsesItsHostsAddressWhereThatIsItsOwn() {
        assertThat(url(new TestJob().hosts("10.1.1.1"))).isEqualTo("tcp://10.1.1.1:<rendezvous>");
        assertThat(url(new TestJob().host("job-0", "fd00::1"))).isEqualTo("tcp://[fd00::1]:<rendezvous>");
        assertThat(url(new TestJob().hosts("10.1.1.2"))).isEqualTo("tcp://127.0.0.1:<rendezvous>");
        assertThat(url(new TestJob().hosts("job-0.svc"))).isEqualTo("tcp://127.0.0.1:<rendezvous>");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "127.0.1.1",
                "127.63.0.1",
                "127.254.0.1",
                "::1",
                "0:0:0:0:0:0:0:1",
                "localhost",
                "LocalHost"
            })
    void severalNodesNeverMeetAtALoopbackAddress(String address) {
        nodes().option("master-addr", address)
                .assertRefused(
                        Kind.CONFIGURATION,
                        "--master-addr is " + address + ", under which every one of the 2 nodes would talk to itself. "
                                + "Give --master-addr A, an address of node 0 that the other nodes reach");
        nodes().host("job-0", address)
                .assertRefused(
                        Kind.CONFIGURATION,
                        "the first host of the job is " + address
                                + ", under which every one of the 2 nodes would talk to itself. "
                                + "Give --master-addr A, an address of node 0 that the other nodes reach");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.64.1.1", "127.99.1.1", "127.100.1.1", "127.253.1.1"})
    void simulatedNodesMayMeetAtAnAddressOfTheirSimulation(String address) {
        assertThat(url(nodes().option("master-addr", address))).isEqualTo("tcp://" + address + ":7000");
    }

    @Test
    void anOnlyNodeMayTalkToItself() {
        assertThat(url(new TestJob().option("master-addr", "localhost"))).isEqualTo("tcp://localhost:<rendezvous>");
    }

    @Test
    void thePlatformsPortIsTaken() {
        assertThat(url(new TestJob().node(1, 2).hosts("a", "b").onModelArts())).isEqualTo("tcp://a:6666");
        assertThat(url(new TestJob().node(0, 1).hosts("a").onModelArts())).isEqualTo("tcp://127.0.0.1:<rendezvous>");
        assertThat(url(nodes().hosts("a", "b").onModelArts())).isEqualTo("tcp://a:7000");
    }

    @ParameterizedTest
    @CsvSource({"1,1", "65535,65535", "0080,80"})
    void portsThatExistAreAccepted(String given, String port) {
        assertThat(url(new TestJob().option("master-port", given))).isEqualTo("tcp://127.0.0.1:" + port);
    }

    @Test
    void aWrongPortIsAMistakeOfUsageOnTheCommandLineAlone() {
        String wrong = "=\"abc\" is no TCP port. Give a whole number from 1 to 65535";
        new TestJob().option("master-port", "abc").assertRefused(Kind.USAGE, "--master-port" + wrong);
        new TestJob()
                .option("master-port", "abc", "MUSTER_MASTER_PORT")
                .assertRefused(Kind.CONFIGURATION, "MUSTER_MASTER_PORT" + wrong);
    }

    /** The port of a job id must never change: another node may run another version of Muster. */
    @Test
    void theDerivedPortIsTheSameForEver() {
        assertThat(url(new TestJob().node(0, 2).hosts("a", "b").id("job-7"))).isEqualTo("tcp://a:17409");
    }

    @Test
    void theNodeThatListensNeedsTheFixedPort() {
        assertThat(nodes().node(0, 2).hosts("a", "b").plan().ports())
                .containsExactly(
                        RequiredPort.of(7000, "the rendezvous", "--master-port", "Choose another with --master-port"));
        assertThat(new TestJob().node(0, 2).hosts("a", "b").onModelArts().plan().ports())
                .containsExactly(RequiredPort.of(
                        6666, "the rendezvous", "platform modelarts", "Choose another with --master-port"));
        assertThat(new TestJob().node(0, 2).hosts("a", "b").plan().ports())
                .extracting(RequiredPort::origin)
                .containsExactly("from the job id job-7");
        assertThat(new TestJob().option("master-port", "7000").plan().ports()).hasSize(1);
    }

    @Test
    void otherNodesNeedNoPort() {
        assertThat(nodes().hosts("a", "b").plan().ports()).isEmpty();
        assertThat(nodes().hosts("a", "b").processes("per-card").plan().ports()).isEmpty();
    }

    @Test
    void aDrawnPortIsNotCheckedOnceMore() {
        assertThat(new TestJob().plan().ports()).isEmpty();
    }

    @Test
    void severalNodesSayWhereTheyMeet() {
        assertThat(TestJob.notes(nodes().hosts("a", "b").plan()))
                .contains("node 1 of 2 meets the others at a, port 7000 (--master-port)");
    }

    @Test
    void variablesOfAnotherLauncherAreNamedWhereNobodySaysHowManyNodesThereAre() {
        TestJob job = new TestJob()
                .variable("WORLD_SIZE", "2")
                .variable("RANK", "1")
                .variable("PET_MASTER_ADDR", "m")
                .variable("LOCAL_RANK", "0");

        assertThat(TestJob.warnings(job.plan()))
                .containsExactly("ignored: RANK, WORLD_SIZE, PET_MASTER_ADDR. This is taken for a job of one node; "
                        + "--nodes, --node-index and --master-addr say otherwise");
        assertThat(TestJob.warnings(job.nodes(1).plan())).isEmpty();
    }

    @Test
    void anExportedMeetingPointThatDoesNotHoldIsSaid() {
        TestJob job = new TestJob()
                .node(0, 2)
                .hosts("first", "second")
                .variable("MASTER_ADDR", "other")
                .variable("MASTER_PORT", "2222");

        assertThat(TestJob.warnings(job.plan()))
                .hasSize(2)
                .anyMatch(warning -> warning.startsWith("MASTER_ADDR=\"other\" is not used: the nodes meet with first.")
                        && warning.endsWith("--master-addr other on all nodes makes it hold"))
                .anyMatch(warning -> warning.startsWith("MASTER_PORT=\"2222\" is not used"));
        job.option("master-addr", "other").option("master-port", "2222");
        assertThat(TestJob.warnings(job.plan())).isEmpty();
    }

    @Test
    void oneVariableOfAnotherLauncherIsNoReasonToWarn() {
        assertThat(TestJob.warnings(new TestJob()
                        .variable("MASTER_PORT", "2222")
                        .variable("RANK", "")
                        .plan()))
                .isEmpty();
    }
}
