package dev.muster.runtime.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections break and come back. */
@Timeout(60)
class LinkFaultsTest {

    private final TestLinks job = new TestLinks();

    LinkFaultsTest() throws IOException {}

    @AfterEach
    void close() {
        job.close();
    }

    @Test
    void aCutConnectionIsMadeAgain() throws IOException, InterruptedException {
        try (Cable cable = new Cable(job.ports.get(0))) {
            ScriptedParty leader = job.open(0);
            job.ports.set(0, cable.port());
            ScriptedParty member = job.open(1);
            String run = leader.await("connected node-1");
            member.await("connected node-0");

            cable.cut();

            leader.await("disconnected node-1");
            member.await("disconnected node-0");
            member.await("connected node-0");
            assertThat(leader.await("connected node-1")).isEqualTo(run);
            job.link(1).send(new LocalEvent.Awaiting(Optional.of("again")));
            leader.await("received node-1: again");
        }
    }

    @Test
    void aConnectionThatCarriesNothingAnyMoreIsReplaced() throws IOException, InterruptedException {
        job.lostAfter = Duration.ofSeconds(5);
        try (Cable cable = new Cable(job.ports.get(0))) {
            ScriptedParty leader = job.open(0);
            job.ports.set(0, cable.port());
            ScriptedParty member = job.open(1);
            leader.await("connected node-1");
            member.await("connected node-0");

            cable.swallow();

            member.await("disconnected node-0: nothing was heard of it");
            member.await("connected node-0");
            leader.await("connected node-1");
        }
    }

    @Test
    void aLeaderThatNeverAnswersIsNotWaitedForForEver() throws IOException, InterruptedException {
        try (ServerSocket silent = new ServerSocket(job.ports.get(0), 50, InetAddress.getLoopbackAddress())) {
            assertThat(silent.isBound()).isTrue();
            ScriptedParty member = job.open(1);

            assertThat(member.await("disconnected node-0")).isEqualTo("disconnected node-0: no answer");
        }
    }

    @Test
    void ordersOfAnImpostorAreNotTaken() throws IOException, InterruptedException {
        LinkSettings settings = job.settings(0);
        try (ServerSocket server = new ServerSocket(job.ports.get(0))) {
            ScriptedParty member = job.open(1);
            try (Socket socket = server.accept()) {
                Hello recorded = Hello.read(firstLine(socket)).orElseThrow();
                JobKey guess = JobKey.of("a guess".getBytes(StandardCharsets.UTF_8), settings.jobId());
                Hello own = new Hello(1, JobKey.hashOf(settings.jobId()), "node-0", "a-run", "abc");
                String line = own.line(Map.of("proof", guess.proof("leader", recorded, own)));
                socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));

                assertThat(job.warning("has another key")).contains("node-0");
            }
            member.await("disconnected node-0");
            assertThat(List.copyOf(member.events)).noneMatch(event -> event.startsWith("connected"));
        }
    }

    private static byte[] firstLine(Socket socket) throws IOException {
        BufferedReader reader =
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        return reader.readLine().getBytes(StandardCharsets.UTF_8);
    }
}
