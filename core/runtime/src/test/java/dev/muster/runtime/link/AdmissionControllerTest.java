package dev.muster.runtime.link;

import static dev.muster.runtime.link.FaultlessJob.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Two launchers that claim one place in the job, and launchers without a place. */
class AdmissionControllerTest {

    private final FaultlessJob job = new FaultlessJob(3, false);

    @Test
    void twoLiveLaunchersOfOneNameEndTheJob() {
        List<MemoryLink> nodes = job.allCome();
        nodes.forEach(FaultlessJob::plans);
        MemoryLink twin = job.comes(1, 3, "second", "gpu7");
        job.network.run(3);

        for (MemoryLink node : List.of(nodes.get(0), nodes.get(1), nodes.get(2), twin)) {
            JobEnd verdict = job.verdictOf(node).orElseThrow();
            assertThat(verdict.kind()).isEqualTo(JobEnd.Kind.REFUSED);
            assertThat(verdict.exitCode()).isEqualTo(78);
            assertThat(verdict.where()).isEqualTo("node 1 (gpu1)");
            assertThat(verdict.reason())
                    .isEqualTo("there are two launchers of this name, on gpu1 and on gpu7;"
                            + " give every node an index of its own");
        }
    }

    @Test
    void aLauncherThatDoesNotAnswerIsSucceededByTheNextOne() {
        List<MemoryLink> nodes = job.allCome();
        nodes.forEach(FaultlessJob::plans);
        job.network.run(1);
        nodes.get(1).cutOff();
        MemoryLink next = job.comes(1, "second");
        job.network.after(
                1900 * MILLI, () -> assertThat(job.heardBy(nodes.get(0))).isEmpty());
        job.network.run(5);

        JobEnd verdict = job.verdictOf(nodes.get(0)).orElseThrow();
        assertThat(verdict.kind()).isEqualTo(JobEnd.Kind.LOST);
        assertThat(verdict.launcher()).isEqualTo("node-1");
        assertThat(verdict.reason()).isEqualTo("its launcher was started again while the job was running");
        assertThat(job.heardBy(next)).isEmpty();
    }

    @Test
    void aLauncherThatDiedWhileItPlannedIsReplaced() {
        List<MemoryLink> nodes = job.allCome();
        nodes.get(1).kill();
        job.network.run(1);
        MemoryLink next = job.comes(1, "second");
        job.network.run(10);
        assertThat(job.heardBy(nodes.get(0))).isEmpty();

        JobEnd end = FaultlessJob.fails(nodes.get(0));
        job.network.run(2);
        assertThat(job.verdictOf(next)).contains(end);
    }

    @Test
    void aLauncherThatDiedWhileItWorkedIsLost() {
        List<MemoryLink> nodes = job.allCome();
        nodes.forEach(FaultlessJob::plans);
        job.network.run(1);
        nodes.get(1).kill();
        job.network.run(1);
        MemoryLink next = job.comes(1, "second");
        job.network.run(3);

        assertThat(job.verdictOf(nodes.get(2)).orElseThrow().kind()).isEqualTo(JobEnd.Kind.LOST);
        assertThat(job.heardBy(next)).isEmpty();
    }

    @Test
    void whoHasSucceededIsNotReplaced() {
        List<MemoryLink> nodes = job.allCome();
        nodes.get(1).send(new LocalEvent.Succeeded(Optional.empty()));
        job.network.run(1);
        nodes.get(1).kill();
        MemoryLink next = job.comes(1, "second");
        job.network.run(20);

        assertThat(job.heardBy(nodes.get(0))).isEmpty();
        assertThat(job.heardBy(next)).isEmpty();
        assertThat(nodes.get(0).report().nodes().get(1).state()).isEqualTo("left");
    }

    @Test
    void aNodeThatTheLeaderDoesNotKnowEndsTheJob() {
        List<MemoryLink> nodes = job.allCome();
        MemoryLink fourth = job.comes(3, 4, "first", "gpu3");
        job.network.run(3);

        for (MemoryLink node : List.of(nodes.get(0), nodes.get(2), fourth)) {
            JobEnd verdict = job.verdictOf(node).orElseThrow();
            assertThat(verdict.exitCode()).isEqualTo(78);
            assertThat(verdict.where()).isEqualTo("node 3 (gpu3)");
            assertThat(verdict.reason())
                    .isEqualTo("node 0 (gpu0), which leads, knows 3 nodes, and none of this name;"
                            + " give all nodes the same hosts and number of nodes");
        }
    }
}
