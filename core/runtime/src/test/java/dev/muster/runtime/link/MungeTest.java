package dev.muster.runtime.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Launchers that get the key from their leader by credentials. */
@Timeout(60)
class MungeTest {

    private final TestLinks job = new TestLinks();

    @TempDir
    private Path directory;

    MungeTest() throws IOException {}

    @AfterEach
    void close() {
        job.close();
    }

    private static LinkKey of(Munge munge) {
        return new LinkKey.OfCredential(munge, "munge");
    }

    private FakeMunge machine() {
        return new FakeMunge(directory);
    }

    @Test
    void membersGetTheKeyFromTheirLeader() throws Exception {
        job.key = of(machine().working());
        ScriptedParty leader = job.open(0);
        ScriptedParty one = job.open(1);
        ScriptedParty two = job.open(2);

        one.await("connected node-0");
        two.await("connected node-0");
        assertThat(List.of(leader.await("connected"), leader.await("connected")))
                .anyMatch(event -> event.startsWith("connected node-1"))
                .anyMatch(event -> event.startsWith("connected node-2"));
        assertThat(machine().opened()).isEqualTo(2);
        assertThat(job.warnings).isEmpty();
    }

    @Test
    void anotherUsersCredentialOpensNothing() throws Exception {
        job.key = of(machine().working());
        ScriptedParty leader = job.open(0);
        job.key = of(machine().ofUser(4711));
        ScriptedParty member = job.open(1);

        member.await("disconnected node-0: it has another key");
        assertThat(job.warning("not taken")).contains("the credential is another user's");
        assertThat(leader.events).noneMatch(event -> event.startsWith("connected"));
    }

    @Test
    void whoKnowsTheIdAloneIsRefusedAndToldWhatIsWanted() throws Exception {
        job.key = of(machine().working());
        ScriptedParty leader = job.open(0);
        job.key = TestLinks.known(job.jobId);
        job.open(1);

        assertThat(job.warning("credential of munge"))
                .contains("the leader node-0 at")
                .contains("--link-secret");
        assertThat(leader.events).noneMatch(event -> event.startsWith("connected"));
    }

    @Test
    void aMemberWhoseMungeDoesNotAnswerSaysSo() throws Exception {
        job.key = of(machine().working());
        job.open(0);
        job.key = of(machine().failing());
        ScriptedParty member = job.open(1);

        member.await("disconnected node-0: munge: Error: Failed to access \"/run/munge/munge.socket.2\"");
    }
}
