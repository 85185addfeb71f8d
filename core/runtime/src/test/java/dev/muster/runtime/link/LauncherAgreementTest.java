package dev.muster.runtime.link;

import static dev.muster.runtime.link.FaultlessJob.lines;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** What must be equal on all launchers, and what launchers tell each other about their processes. */
class LauncherAgreementTest {

    private final FaultlessJob job = new FaultlessJob(3, false);

    @Test
    void whatDiffersEndsTheJob() {
        List<MemoryLink> nodes = job.allCome();
        FaultlessJob.plans(nodes.get(0), "8", "c", false);
        FaultlessJob.plans(nodes.get(1), "8", "c", false);
        FaultlessJob.plans(nodes.get(2), "4", "c", false);
        job.network.run(2);

        for (MemoryLink node : nodes) {
            JobEnd verdict = job.verdictOf(node).orElseThrow();
            assertThat(verdict.kind()).isEqualTo(JobEnd.Kind.REFUSED);
            assertThat(verdict.exitCode()).isEqualTo(78);
            assertThat(verdict.where()).isEqualTo("node 2 (gpu2)");
            assertThat(verdict.reason())
                    .isEqualTo("cards: 4 here and 8 on node 0 (gpu0); must be the same on all nodes");
        }
    }

    @Test
    void whatDiffersIsFoundWhoeverPlansLast() {
        List<MemoryLink> nodes = job.allCome();
        FaultlessJob.plans(nodes.get(1), "4", "c", false);
        job.network.run(2);
        assertThat(job.heardBy(nodes.get(1))).isEmpty();
        FaultlessJob.plans(nodes.get(0), "8", "c", false);
        job.network.run(2);

        assertThat(job.verdictOf(nodes.get(2)).map(JobEnd::exitCode)).contains(78);
    }

    @Test
    void anotherCommandIsAWarningOnBothNodes() {
        List<MemoryLink> nodes = job.allCome();
        FaultlessJob.plans(nodes.get(0), "8", "python a.py", false);
        FaultlessJob.plans(nodes.get(1), "8", "python a.py", false);
        FaultlessJob.plans(nodes.get(2), "8", "python b.py", false);
        job.network.run(2);

        assertThat(lines(nodes.get(0)))
                .containsExactly("node 2 (gpu2) runs another command: python b.py; this node: python a.py");
        assertThat(lines(nodes.get(1))).isEmpty();
        assertThat(job.heardBy(nodes.get(0))).isEmpty();
    }

    @Test
    void whoWatchesAProcessHearsOfIt() {
        List<MemoryLink> nodes = job.allCome();
        FaultlessJob.plans(nodes.get(0), "8", "c", false, "sshd@node-1", "sshd@node-2");
        nodes.get(1).send(new LocalEvent.Started("sshd", 7, OptionalInt.empty(), Optional.empty(), 1));
        nodes.get(1).send(new LocalEvent.Ready("sshd", nodes.get(1).clock()));
        job.network.run(1);
        nodes.get(2).send(new LocalEvent.Ready("other", nodes.get(2).clock()));
        job.network.run(1);

        assertThat(job.heardBy(nodes.get(0))).hasSize(1);
        LinkEvent.ProcessIs ready =
                (LinkEvent.ProcessIs) job.heardBy(nodes.get(0)).get(0);
        assertThat(ready.process()).isEqualTo("sshd@node-1");
        assertThat(ready.state()).isEqualTo(LinkEvent.State.READY);
    }

    @Test
    void whoWatchesLateHearsWhatWasBefore() {
        List<MemoryLink> nodes = job.allCome();
        nodes.get(1).send(new LocalEvent.Ready("worker", nodes.get(1).clock()));
        FaultlessJob.ends(nodes.get(1), "worker");
        job.network.run(1);
        FaultlessJob.plans(nodes.get(2), "8", "c", false, "worker@node-1");
        job.network.run(1);

        assertThat(job.heardBy(nodes.get(2)).stream().map(event -> ((LinkEvent.ProcessIs) event).state()))
                .containsExactly(LinkEvent.State.READY, LinkEvent.State.ENDED);
    }

    @Test
    void membersHearOfTheLeadersProcesses() {
        List<MemoryLink> nodes = job.allCome();
        FaultlessJob.plans(nodes.get(2), "8", "c", false, "worker-0@node-0");
        job.network.run(1);
        FaultlessJob.ends(nodes.get(0), "worker-0");
        job.network.run(1);

        assertThat(job.heardBy(nodes.get(2))).hasSize(1);
    }

    @Test
    void whoHasLeftHasNoProcesses() {
        List<MemoryLink> nodes = job.allCome();
        FaultlessJob.plans(nodes.get(2), "8", "c", false, "worker@node-1", "never@node-1");
        nodes.get(1).send(new LocalEvent.Left(0));
        job.network.run(1);

        assertThat(job.heardBy(nodes.get(2)).stream()
                        .map(event -> ((LinkEvent.ProcessIs) event).process() + ((LinkEvent.ProcessIs) event).state()))
                .containsExactlyInAnyOrder("worker@node-1ENDED", "never@node-1ENDED");
    }

    @Test
    void aProcessThatHasEndedStaysSo() {
        List<MemoryLink> nodes = job.allCome();
        FaultlessJob.plans(nodes.get(2), "8", "c", false, "worker@node-1");
        FaultlessJob.ends(nodes.get(1), "worker");
        job.network.run(1);
        nodes.get(1).send(new LocalEvent.Ready("worker", nodes.get(1).clock()));
        nodes.get(1).send(new LocalEvent.Left(0));
        job.network.run(1);

        assertThat(job.heardBy(nodes.get(2))).hasSize(1);
    }
}
