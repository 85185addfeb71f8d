package dev.muster.engine.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.Condition;
import dev.muster.spi.HostedRanks;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.LauncherNodes;
import dev.muster.spi.Outcome;
import dev.muster.spi.PlanException.Kind;
import dev.muster.spi.ProcessSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The plans of all nodes, with an sshd of the job: processes, hosts and number of ranks. */
class NodePlansTest {

    private final LaunchPlan plan = TestJob.onModelArts(0, 3).cards(2).plan();
    private final LaunchPlan worker = TestJob.onModelArts(1, 3).plan();

    @Test
    void servesAndStartsMpirun() {
        assertThat(Plans.ids(plan)).containsExactly("ssh-keys", "sshd", "mpirun");
        assertThat(Plans.process(plan, "ssh-keys")).isInstanceOfSatisfying(ProcessSpec.Hook.class, step -> {
            assertThat(step.phase()).isEqualTo(ProcessSpec.Phase.PROLOG);
            assertThat(step.required()).isTrue();
        });
        assertThat(plan.outcome()).isEqualTo(Outcome.ALL_TASKS);
    }

    @Test
    void mpirunStartsWhenEveryNodeServes() {
        assertThat(Plans.process(plan, "mpirun").startWhen())
                .isEqualTo(Condition.ready(List.of("sshd", "sshd@node-1", "sshd@node-2")));
        assertThat(Plans.process(plan, "sshd"))
                .isInstanceOfSatisfying(
                        ProcessSpec.Service.class,
                        sshd -> assertThat(sshd.readyWhen()).isEqualTo(Condition.portOpen("vj-worker-0.vj", 36666)));
    }

    /** The ssh key of the job is the key of the link: a process that cannot log in cannot join. */
    @Test
    void leadsTheLaunchersOfAllHostsByTheKeyOfTheJob() {
        assertThat(plan.launchers()).hasValueSatisfying(launchers -> {
            assertThat(launchers.leads()).isTrue();
            assertThat(launchers.required()).isTrue();
            assertThat(launchers.keyFile()).contains("/home/user/.ssh/id_rsa");
            assertThat(launchers.all())
                    .extracting(LauncherNodes.Peer::name)
                    .containsExactly("node-0", "node-1", "node-2");
            assertThat(launchers.all().get(1).host())
                    .hasValueSatisfying(host -> assertThat(host.name()).isEqualTo("vj-worker-1.vj"));
        });
        assertThat(plan.equal()).containsEntry("the port of sshd", "36666").containsKey("ranks of the job");
    }

    @Test
    void anImagesKeysAreUsedWhereTheyAreKnown() {
        TestJob image = TestJob.onModelArts(0, 2)
                .option("sshd", "image")
                .file("/home/user/etc/ssh/sshd_config", "Port {{MY_SSHD_PORT}}\n");

        assertThat(image.plan().launchers().orElseThrow().keyFile()).contains("/home/user/.ssh/id_rsa");
        LaunchPlan without = image.keys().plan();
        assertThat(without.launchers()).hasValueSatisfying(launchers -> {
            assertThat(launchers.required()).isTrue();
            assertThat(launchers.keyFile()).isEmpty();
        });
        assertThat(Plans.notes(without)).anyMatch(note -> note.contains("--ssh-key FILE"));
    }

    /** The hosts of a hostfile and the ssh key come from inputs. The engine reads inputs only when it plans. */
    @Test
    void onlyThePlanKnowsTheLaunchers() {
        assertThat(new MpiEngine()
                        .link(
                                TestJob.onModelArts(0, 3).spec(),
                                TestJob.onModelArts(0, 3).node()))
                .isEmpty();
    }

    /** The options of ModelArts' contract in their order, and the names of all variables of node 0. */
    @Test
    void mpirunGetsTheOptionsOfTheContract() {
        LaunchPlan withEnvironment = TestJob.onModelArts(0, 2)
                .variable("LD_LIBRARY_PATH", "/l")
                .variable("S3_SECRET_KEY", "k=")
                .plan();

        assertThat(Plans.mpirun(withEnvironment))
                .containsExactly(
                        ("mpirun|-np|2|-hostfile|<private>/hostfile|-mca|plm_rsh_args|-p 36666 -F <ssh_config>|-bind-to|none"
                                        + "|-map-by|slot|-x|NCCL_DEBUG=INFO|-x|NCCL_SOCKET_IFNAME=eth0,bond0|-x"
                                        + "|NCCL_SOCKET_FAMILY=AF_INET|-x|HOROVOD_MPI_THREADS_DISABLE=1|-x"
                                        + "|LD_LIBRARY_PATH|-x|MA_NUM_HOSTS|-x|MA_TASK_NAME|-x|MA_VJ_NAME|-x"
                                        + "|S3_SECRET_KEY|-mca|pml|ob1|-mca|btl|^openib|-mca|plm_rsh_no_tree_spawn"
                                        + "|true|python3|a b.py")
                                .split("\\|", -1));
    }

    @Test
    void ranksGetTheSignalFirstAndMpirunStaysUntilAllAreGone() {
        for (String id : List.of("mpirun", "sshd")) {
            assertThat(Plans.process(plan, id).hosted().map(HostedRanks::until))
                    .contains(Condition.exited(List.of("mpirun")));
        }
    }

    @Test
    void tellsThePortItNeedsAndHowToChooseAnother() {
        assertThat(plan.ports()).singleElement().satisfies(port -> {
            assertThat(port.port()).isEqualTo(36666);
            assertThat(port.fix()).contains("MY_SSHD_PORT", "sshd-port");
        });
    }

    /** Other jobs may run on the same node. */
    @Test
    void whereNodesAreSharedOutThePortComesFromTheJob() {
        LaunchPlan managed = new TestJob()
                .index(0)
                .nodes(2)
                .hosts("a", "b")
                .managedBy("slurm")
                .plan();
        assertThat(managed.ports()).singleElement().satisfies(port -> {
            assertThat(port.port()).isBetween(10_001, 24_999);
            assertThat(port.origin()).contains("job");
        });
    }

    @Test
    void theOthersOnlyServe() {
        assertThat(Plans.ids(worker)).containsExactly("ssh-keys", "sshd");
        assertThat(Plans.process(worker, "sshd"))
                .isInstanceOfSatisfying(
                        ProcessSpec.Service.class,
                        sshd -> assertThat(sshd.readyWhen()).isEqualTo(Condition.portOpen("vj-worker-1.vj", 36666)));
        assertThat(Plans.notes(worker)).first().asString().contains("node 1 (vj-worker-1.vj) of 3", "vj-worker-0.vj");
    }

    /** mpirun needs its daemon on this host while ranks of other hosts write checkpoints. */
    @Test
    void sshdStaysUntilNodeZeroNeedsItNoMore() {
        assertThat(Plans.process(worker, "sshd").hosted())
                .hasValueSatisfying(
                        ranks -> assertThat(ranks.until()).isEqualTo(Condition.exited(List.of("mpirun@node-0"))));
    }

    @Test
    void hostsAreThoseOfThePlatform() {
        LaunchPlan plan = TestJob.onModelArts(0, 3).plan();

        assertThat(Plans.hosts(plan))
                .containsExactly(
                        "- vj-worker-0.vj 1 vj-worker-0.vj",
                        "vj-worker-1.vj vj-worker-1.vj 1 vj-worker-1.vj",
                        "vj-worker-2.vj vj-worker-2.vj 1 vj-worker-2.vj");
    }

    @Test
    void hostsThatTheUserNamesHoldOnAPlatform() {
        LaunchPlan plan = TestJob.onModelArts(0, 2).hosts("a", "b").plan();

        assertThat(Plans.hosts(plan)).containsExactly("- a 1 a", "b b 1 b");
    }

    @Test
    void aMissingIndexIsNeverGuessedAndThePlatformsVariablesForItAreNamed() {
        TestJob.onModelArts(0, 2)
                .withoutIndex()
                .machine("vj-worker-1", 1000)
                .assertRefused(Kind.CONFIGURATION, "MA_TASK_INDEX, VC_TASK_INDEX are not set", "--node-index");
    }

    @Test
    void oneHostNeedsNoIndexAndNoName() {
        LaunchPlan plan = new TestJob().modelArts().nodes(1).plan();

        assertThat(Plans.ids(plan)).containsExactly("mpirun");
    }

    @Test
    void severalNodesWithoutHostsAreRefused() {
        new TestJob().nodes(3).index(0).assertRefused(Kind.CONFIGURATION, "3 nodes", "--hosts");
        new TestJob().nodes(3).index(0).hosts("a", "b").assertRefused(Kind.CONFIGURATION, "3 nodes", "2 hosts");
    }

    @Test
    void slotsAreOneWhereThereIsNoAccelerator() {
        for (String none : List.of("0", "")) {
            assertThat(ranks(new TestJob().variable("MY_MPI_SLOTS", none))).isEqualTo("1");
        }
    }

    @Test
    void slotsThatAreNoNumberAreRefused() {
        new TestJob()
                .variable("MY_MPI_SLOTS", "two")
                .assertRefused(Kind.CONFIGURATION, "MY_MPI_SLOTS=\"two\"", "0..4096");
        new TestJob().option("slots", "9999").assertRefused(Kind.USAGE, "--slots=\"9999\"");
    }

    private static String ranks(TestJob job) {
        return Plans.after(job.plan(), "-np").get(0);
    }
}
