package dev.muster.runtime.link;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.muster.runtime.json.Json;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever reaches the leader's port without the key changes nothing. */
@Timeout(60)
class StrangersTest {

    private final TestLinks job = new TestLinks();
    private final ScriptedParty leader;
    private final int port;

    StrangersTest() throws IOException {
        leader = job.open(0);
        port = job.ports.get(0);
    }

    @BeforeEach
    void theLeaderListens() throws InterruptedException {
        ScriptedParty member = job.open(2);
        member.await("connected node-0");
        leader.await("connected node-2");
    }

    @AfterEach
    void close() {
        job.close();
    }

    @Test
    void thousandsOfSilentConnectionsKeepNobodyOut() throws IOException, InterruptedException {
        UnixOperatingSystemMXBean system = (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long allowed = system.getMaxFileDescriptorCount() - system.getOpenFileDescriptorCount() - 600;
        List<Socket> silent = new ArrayList<>();
        try {
            for (int count = 0; count < Math.min(3000, allowed); count++) {
                silent.add(new Socket(job.loopback(), port));
            }
            ScriptedParty member = job.open(1);

            member.await("connected node-0");
            leader.await("connected node-1");
            long descriptors = system.getOpenFileDescriptorCount() - silent.size();
            assertThat(descriptors).isLessThan(allowed).isLessThan(Acceptor.PLACES + 400);
        } finally {
            for (Socket socket : silent) {
                socket.close();
            }
        }
        job.link(0).close();
        assertThat(job.warning("refused"))
                .containsPattern("[0-9]+ connections to the link's port that are not of this job");
    }

    @Test
    void aLineWithoutEndIsCutShort() throws IOException {
        byte[] piece = new byte[64 * 1024];
        long sent = 0;
        try (Impostor stranger = new Impostor(port)) {
            while (sent < 1L << 30) {
                stranger.send(piece);
                sent += piece.length;
            }
        } catch (IOException e) {
            assertThat(sent).isLessThan(64L << 20);
            return;
        }
        throw new AssertionError("the leader took it all");
    }

    @Test
    void randomBytesAreNotAnswered() throws IOException, InterruptedException {
        Random random = new Random(5);
        for (int count = 0; count < 300; count++) {
            byte[] bytes = new byte[random.nextInt(3000)];
            random.nextBytes(bytes);
            try (Impostor stranger = new Impostor(port)) {
                stranger.send(bytes);
                stranger.send("");
                assertThat(stranger.line()).isEmpty();
            } catch (SocketException e) {
                // It was closed before all had been sent.
            }
        }
        leader.await("beat of node-2");
        assertThat(leader.events).noneMatch(event -> event.startsWith("admit"));
    }

    @Test
    void whoSaysNothingGoesAfterAWhile() throws IOException, InterruptedException {
        long start = System.nanoTime();
        try (Impostor stranger = new Impostor(port)) {
            assertThat(stranger.line()).isEmpty();
        }
        assertThat(System.nanoTime() - start).isBetween(TimeUnit.SECONDS.toNanos(4), TimeUnit.SECONDS.toNanos(8));
        leader.await("beat of node-2");
    }

    @Test
    void aReplayedHandshakeIsClosed() throws IOException, InterruptedException {
        LinkSettings settings = job.settings(1);
        JobKey key = JobKey.of(((LinkKey.Known) settings.key()).secret(), settings.jobId());
        Handshake handshake = new Handshake(Impostor.hello(settings, "abc", 1), key);
        String proof;
        try (Impostor first = new Impostor(port)) {
            first.send(handshake.opening());
            proof = ((Handshake.Step.Done)
                            handshake.prove(first.line().orElseThrow().getBytes(StandardCharsets.UTF_8), "node-0"))
                    .line();
            first.send(proof);
            leader.await("connected node-1");
        }
        leader.await("disconnected node-1");
        try (Impostor second = new Impostor(port)) {
            second.send(handshake.opening());
            assertThat(second.line()).isPresent();
            second.send(proof);
            assertThat(second.line()).isEmpty();
        }
        leader.await("beat of node-2");
        assertThat(leader.events).noneMatch(event -> event.contains("node-1"));
    }

    @Test
    void aReplayedLineEndsItsConnection() throws IOException, InterruptedException {
        try (Impostor member = new Impostor(port)) {
            Session session = member.enter(job.settings(1), "abc");
            byte[] line = session.seal(Json.toMap(Impostor.batch(1)));
            member.send(line);
            leader.await("received node-1: fact 1");
            member.send(line);

            leader.await("disconnected node-1: it sent a line that is not the next of its own");
        }
    }

    @Test
    void aLineOfAMemberHasALimit() throws IOException, InterruptedException {
        try (Impostor member = new Impostor(port)) {
            Session session = member.enter(job.settings(1), "abc");
            member.send(session.seal(Json.toMap(Impostor.batch(1))));
            leader.await("received node-1: fact 1");
            member.send("x".repeat(Peer.LONGEST_LINE + 1));

            leader.await("disconnected node-1: it sent a line that is too long");
        }
    }

    @Test
    void anOlderVersionIsNamedOnBothSides() throws IOException, InterruptedException {
        LinkSettings settings = job.settings(1);
        JobKey key = JobKey.of(((LinkKey.Known) settings.key()).secret(), settings.jobId());
        Handshake older = new Handshake(Impostor.hello(settings, "abc", 0), key);
        try (Impostor member = new Impostor(port)) {
            member.send(older.opening());
            Handshake.Step step = older.prove(member.line().orElseThrow().getBytes(StandardCharsets.UTF_8), "node-0");

            assertThat(step).extracting("why").isEqualTo(Handshake.Why.OTHER_VERSION);
            assertThat(job.warning("version"))
                    .matches("launcher node-1 at .* speaks version 0 of the link, this one version"
                            + " 1\\. Install the same Muster on all nodes");
        }
    }

    /** The clock of its leader runs 20 times as fast. */
    @Test
    void aMemberThatStopsReadingIsLeft() throws IOException, InterruptedException {
        try (TestLinks other = new TestLinks()) {
            ScriptedParty hasty = other.open(0, () -> 20 * System.nanoTime());
            ScriptedParty helper = other.open(2);
            helper.await("connected node-0");
            try (Impostor member = new Impostor(other.ports.get(0))) {
                member.enter(other.settings(1), "abc");
                hasty.await("connected node-1");
                String text = "x".repeat(30_000);
                Optional<String> end = Optional.empty();
                while (end.isEmpty()) {
                    other.link(0).say(new Said.Awaiting(Optional.of(text)));
                    end = hasty.seen("disconnected node-1", 20);
                }

                assertThat(end).hasValue("disconnected node-1: it does not read what it is sent");
            }
        }
    }
}
