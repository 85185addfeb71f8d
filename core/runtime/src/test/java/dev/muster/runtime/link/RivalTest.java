package dev.muster.runtime.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two launchers that both take themselves for the job's leader. */
@Timeout(60)
class RivalTest {

    private static final JobEnd TWICE =
            JobEnd.of(JobEnd.Kind.REFUSED, "node-0", Optional.of("gpu0"), 78, "two of one name");

    private final TestLinks job = new TestLinks(2);

    @TempDir
    private Path directory;

    RivalTest() throws IOException {}

    @AfterEach
    void close() {
        job.close();
    }

    private ScriptedParty first() throws InterruptedException {
        ScriptedParty first = job.open(0);
        first.admission = new Admission.Refusal(TWICE.reason(), Optional.of(TWICE));
        awaitOpen(job.ports.get(0));
        return first;
    }

    @Test
    void theSecondHearsOfTheFirst() throws InterruptedException {
        ScriptedParty first = first();
        ScriptedParty second = job.open(0);

        assertThat(first.await("admit")).isEqualTo("admit node-0 from 127.0.0.1");
        assertThat(second.ends.poll(20, TimeUnit.SECONDS)).isEqualTo(TWICE);
        assertThat(job.warnings).isEmpty();
    }

    @Test
    void soItDoesWhereMungeGivesTheKey() throws Exception {
        job.key = new LinkKey.OfCredential(new FakeMunge(directory).working(), "munge");
        first();
        ScriptedParty second = job.open(0);

        assertThat(second.ends.poll(20, TimeUnit.SECONDS)).isEqualTo(TWICE);
        assertThat(job.warnings).isEmpty();
    }

    @Test
    void oneThatIsEndingIsAskedAgainAndNotBlamed() throws InterruptedException {
        ScriptedParty first = first();
        first.admission = new Admission.Refusal("come again", Optional.empty());
        ScriptedParty second = job.open(0);

        first.await("admit node-0");
        first.await("admit node-0");
        assertThat(second.ends).isEmpty();
    }

    @Test
    void whoseJobEndsAsksNobody() throws InterruptedException {
        ScriptedParty first = first();
        ScriptedParty second = job.open(0);
        second.isEnding = true;

        assertThat(first.seen("admit node-0", 1500)).isEmpty();
    }

    /** The leader's name may be that of something in front of it. */
    @Test
    void whoMeetsItselfLeads() throws InterruptedException, IOException {
        ScriptedParty leader;
        try (ServerSocket before = new ServerSocket(job.ports.get(0))) {
            leader = job.open(0);
            try (Socket asking = before.accept();
                    Socket behind = new Socket(job.loopback(), job.ports.get(1))) {
                Thread there = copy(asking, behind);
                Thread back = copy(behind, asking);
                there.join();
                back.join();
            }
        }
        ScriptedParty member = job.open(1);

        leader.await("connected node-1");
        member.await("connected node-0");
        assertThat(leader.events).noneMatch(event -> event.startsWith("admit node-0"));
        assertThat(job.warnings).isEmpty();
    }

    @Test
    void aLeaderRefusesAnotherOnceAndLeavesOneAloneThatComesWhileItEnds() {
        Leader leader = new Leader(new Rehearsal(2, false).settings(0), text -> text, 0);

        Admission.Refusal refused = (Admission.Refusal) leader.admit("node-0", "another", Optional.of("10.0.0.7"), 1);
        assertThat(refused.reason())
                .isEqualTo("there are two launchers of this name, on gpu0 and on 10.0.0.7;"
                        + " give every node an index of its own");
        assertThat(refused.end().orElseThrow().exitCode()).isEqualTo(78);
        assertThat(leader.heard()).hasSize(1);

        Admission.Refusal later = (Admission.Refusal) leader.admit("node-0", "another", Optional.of("10.0.0.7"), 2);
        assertThat(later.end()).isEmpty();
    }

    /** The second one could have no other port, and has led the job since. */
    @Test
    void inALaterRunTheFirstAsksTheSecond() throws InterruptedException {
        job.run = Optional.of(LinkRun.first(3).next(2, 1));
        ScriptedParty first = job.open(0);
        awaitOpen(job.ports.get(0));
        job.run = Optional.of(LinkRun.first(3).next(3, 2));
        ScriptedParty second = job.open(0);
        JobEnd replaced = Ends.replaced("node-0", Optional.of("gpu0"), Optional.empty());
        second.admission = new Admission.Refusal(replaced.reason(), Optional.of(replaced));

        assertThat(first.ends.poll(20, TimeUnit.SECONDS)).isEqualTo(replaced);
    }

    @Test
    void whoHearsThatAnotherOneLeadsByNowEndsAlone() {
        LinkSettings settings =
                new Rehearsal(2, true).settings(0).of(LinkRun.first(3).next(2, 1));
        Leader leader = new Leader(settings, text -> text, 0);
        leader.connected("node-1", "member", 1);
        leader.ended(Ends.replaced("node-0", Optional.of("gpu0"), Optional.empty()), 2);

        assertThat(leader.heard()).contains(new Heard.MayLeave());
        assertThat(leader.next("node-1", 3).facts())
                .noneMatch(fact -> OrderFacts.read(fact)
                        .filter(Order.Stop.class::isInstance)
                        .isPresent());
    }

    private static Thread copy(Socket from, Socket to) {
        Thread thread = new Thread(() -> {
            try {
                from.getInputStream().transferTo(to.getOutputStream());
                to.shutdownOutput();
            } catch (IOException e) {
                // One end is closed: so is the other.
            }
        });
        thread.start();
        return thread;
    }

    private void awaitOpen(int port) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (System.nanoTime() - deadline < 0) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(job.loopback(), port), 1000);
                return;
            } catch (IOException notYet) {
                TimeUnit.MILLISECONDS.sleep(2);
            }
        }
        throw new AssertionError("nobody listens on " + port);
    }
}
