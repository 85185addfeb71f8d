package dev.muster.runtime.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.Host;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real connections between launchers of one job. */
@Timeout(60)
class LinksTest {

    private final TestLinks job = new TestLinks(2);

    @TempDir
    private Path directory;

    LinksTest() throws IOException {}

    @AfterEach
    void close() {
        job.close();
    }

    @Test
    void whatOneSaysTheOtherHears() throws InterruptedException {
        ScriptedParty leader = job.open(0);
        ScriptedParty member = job.open(1);
        leader.await("connected node-1");
        member.await("connected node-0");

        job.link(0).send(awaiting("from the leader"));
        job.link(1).send(awaiting("from the member"));

        member.await("received node-0: from the leader");
        leader.await("received node-1: from the member");
        leader.await("beat of node-1");
        assertThat(job.warnings).isEmpty();
    }

    @Test
    void aLeaderMayStartLast() throws InterruptedException {
        ScriptedParty member = job.open(1);
        member.await("disconnected node-0: connection refused (absent)");

        job.open(0);

        member.await("connected node-0");
    }

    @Test
    void whatWasSaidBeforeTheEndArrives() throws InterruptedException {
        ScriptedParty leader = job.open(0);
        ScriptedParty member = job.open(1);
        member.await("connected node-0");
        leader.await("connected node-1");

        job.link(1).send(awaiting("goodbye"));
        job.link(1).close();

        leader.await("received node-1: goodbye");
        leader.await("disconnected node-1: the connection was closed");
    }

    @Test
    void aPortOfAnotherJobIsPassedBy() throws InterruptedException {
        ScriptedParty other = job.open(0);
        job.jobId = "job-2";
        ScriptedParty member = job.open(1);
        member.await("disconnected node-0: another job answers on port " + job.ports.get(0) + " (absent)");

        ScriptedParty leader = job.open(0);

        leader.await("connected node-1");
        member.await("connected node-0");
        assertThat(other.events).noneMatch(event -> event.startsWith("connected"));
    }

    @Test
    void withoutAPortTheJobGoesOnByItself() throws InterruptedException, IOException {
        try (ServerSocket one = new ServerSocket(job.ports.get(0));
                ServerSocket two = new ServerSocket(job.ports.get(1))) {
            assertThat(List.of(one.isBound(), two.isBound())).containsOnly(true);
            job.open(0);

            assertThat(job.warning("has no port"))
                    .contains("ports " + job.ports.get(0) + ", " + job.ports.get(1) + " are taken")
                    .contains("pid " + ProcessHandle.current().pid())
                    .contains("--link-port");
        }
    }

    /** The port may belong to a killed launcher whose supervisor still stops its ranks. */
    @Test
    void aPortThatIsTheOnlyOneIsAwaited() throws InterruptedException, IOException {
        try (TestLinks other = new TestLinks(1)) {
            try (ServerSocket before = new ServerSocket(other.ports.get(0))) {
                other.open(0);
                assertThat(other.warning("has no port"))
                        .contains("port " + before.getLocalPort() + " is taken")
                        .contains("waiting up to 5s for it");
            }
            ScriptedParty member = other.open(1);

            member.await("connected node-0");
        }
    }

    @Test
    void anotherKeyIsToldOnce() throws InterruptedException {
        job.open(0);
        job.key = TestLinks.known("a guess");
        ScriptedParty member = job.open(1);

        member.await("disconnected node-0: it has another key");
        member.await("disconnected node-0: it has another key");
        assertThat(job.warning("has another key")).contains("the leader node-0 at ", "--link-secret must be the same");
        job.link(0).close();
        assertThat(job.warning("refused"))
                // The number of connections depends on the speed of the machine.
                .containsPattern(
                        "\\b(\\d+) connections? to the link's port that (is|are) not of this job (was|were) refused"
                                + " .*; \\1 of them named this job and had another key");
    }

    @Test
    void whoIsNotAdmittedHearsWhy() throws InterruptedException {
        JobEnd end = JobEnd.of(JobEnd.Kind.REFUSED, "node-1", Optional.of("gpu1"), 78, "two of one name");
        ScriptedParty leader = job.open(0);
        leader.rejection = Optional.of(Rejection.forGood(end));
        ScriptedParty member = job.open(1);

        member.await("disconnected node-0: two of one name");
        assertThat(member.ends.poll(20, TimeUnit.SECONDS)).isEqualTo(end);
        leader.rejection = Optional.of(Rejection.forNow("come again"));
        member.await("disconnected node-0: come again");
        leader.rejection = Optional.empty();
        member.await("connected node-0");
    }

    @Test
    void theAddressServesWhereTheNameLeadsNowhere() throws InterruptedException {
        job.leaderHost = Optional.of(Host.of("no-such-host.invalid", Optional.of("127.0.0.1")));
        job.open(0);
        ScriptedParty member = job.open(1);

        member.await("connected node-0");
    }

    @Test
    void aKeyMayComeLate() throws InterruptedException, IOException {
        Path file = directory.resolve("key");
        job.key = LinkKey.ofFile(file, "the key of this job");
        ScriptedParty leader = job.open(0);
        ScriptedParty member = job.open(1);
        member.await("disconnected node-0: there is no file " + file + " yet");
        assertThat(isOpen(job.ports.get(0))).isFalse();

        Path written = Files.createFile(
                directory.resolve("new"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(written, "a secret");
        Files.move(written, file);

        leader.await("connected node-1");
        member.await("connected node-0");
    }

    @Test
    void anErrorOfOursEndsTheJob() throws InterruptedException {
        ScriptedParty member = job.open(1);
        member.fault = new IllegalStateException("of the test");

        BlockingQueue<LinkEvent> heard = new LinkedBlockingQueue<>();
        job.link(0).listen(heard::add);
        assertThat(heard.poll(20, TimeUnit.SECONDS)).isInstanceOf(LinkEvent.Stop.class);
        assertThat(heard.poll(20, TimeUnit.SECONDS)).isInstanceOf(LinkEvent.Decided.class);
        assertThat(heard.poll(20, TimeUnit.SECONDS)).isInstanceOf(LinkEvent.MayLeave.class);
    }

    @Test
    void aRestartedLeaderGetsItsPortAgain() throws InterruptedException, IOException {
        ScriptedParty leader = job.open(0);
        ScriptedParty member = job.open(1);
        leader.await("connected node-1");
        member.await("connected node-0");
        // The leader closes first: its side of the connection stays in TIME_WAIT.
        job.link(0).close();

        ScriptedParty next = job.open(0);

        next.await("connected node-1");
        assertThat(isOpen(job.ports.get(0))).isTrue();
    }

    private static LocalEvent awaiting(String what) {
        return new LocalEvent.Awaiting(Optional.of(what));
    }

    private boolean isOpen(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(job.loopback(), port), 1000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
