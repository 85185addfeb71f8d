package dev.muster.runtime.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.link.Handshake.Step;
import dev.muster.runtime.link.Handshake.Why;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HandshakeTest {

    private static final String JOB = "job-1";
    private static final byte[] SECRET = bytes("a secret");

    private final Hello memberHello = hello(JOB, "node-1", "cafe", 1);
    private final Hello leaderHello = hello(JOB, "node-0", "beef", 1);
    private final MemberHandshake member = new MemberHandshake(memberHello, "node-0", key());
    private final LeaderHandshake leader = new LeaderHandshake(leaderHello, key());

    @Test
    void bothProveThatTheyKnowTheKey() {
        Step answer = leader.step(bytes(member.opening()));
        Step proof = member.step(lineOf(answer));
        Step end = leader.step(lineOf(proof));

        assertThat(((Step.Done) proof).peer()).isEqualTo(leaderHello);
        assertThat(((Step.Done) end).peer()).isEqualTo(memberHello);
        Session atMember = ((Step.Done) proof).session();
        Session atLeader = ((Step.Done) end).session();
        assertThat(atLeader.open(unended(atMember.seal(Map.of("say", "hi"))))).hasValue(Map.of("n", 1L, "say", "hi"));
        assertThat(atMember.open(unended(atLeader.seal(Map.of("say", "ho"))))).hasValue(Map.of("n", 1L, "say", "ho"));
    }

    @Test
    void anotherJobIsToldApartFromAnotherKey() {
        MemberHandshake stranger = new MemberHandshake(hello("job-2", "node-1", "cafe", 1), "node-0", key());
        Step.Failed atLeader = (Step.Failed) leader.step(bytes(stranger.opening()));

        assertThat(atLeader.why()).isEqualTo(Why.OTHER_JOB);
        assertThat(stranger.step(bytes(atLeader.line()))).extracting("why").isEqualTo(Why.OTHER_JOB);
    }

    @Test
    void anotherKeyIsToldToTheMemberWithoutAnyWordOfTheLeader() {
        MemberHandshake stranger = new MemberHandshake(memberHello, "node-0", JobKey.of(bytes("a guess"), JOB));
        Step.Failed atLeader = (Step.Failed) leader.step(bytes(stranger.opening()));

        assertThat(atLeader.why()).isEqualTo(Why.OTHER_KEY);
        assertThat(atLeader.line()).isEqualTo("{\"muster-link\":1,\"refused\":\"key\"}");
        assertThat(stranger.step(bytes(atLeader.line()))).extracting("why").isEqualTo(Why.OTHER_KEY);
    }

    @Test
    void anotherVersionIsBelievedOnlyWhenItIsSigned() {
        MemberHandshake older = new MemberHandshake(hello(JOB, "node-1", "cafe", 0), "node-0", key());
        Step.Failed atLeader = (Step.Failed) leader.step(bytes(older.opening()));
        Step.Failed atMember = (Step.Failed) older.step(bytes(atLeader.line()));

        assertThat(atLeader.why()).isEqualTo(Why.OTHER_VERSION);
        assertThat(atMember.why()).isEqualTo(Why.OTHER_VERSION);
        assertThat(atMember.peer()).hasValue(leaderHello);
        String forged = member.opening().replace("\"muster-link\":1", "\"muster-link\":0");
        assertThat(new LeaderHandshake(leaderHello, key()).step(bytes(forged)))
                .extracting("why")
                .isEqualTo(Why.OTHER_KEY);
    }

    @Test
    void nobodysWordsCanBeSentBackToHim() {
        assertThat(leader.step(lineOf(leader.step(bytes(member.opening()))))).isInstanceOf(Step.Failed.class);
        assertThat(member.step(bytes(member.opening()))).isInstanceOf(Step.Failed.class);
    }

    @Test
    void aRecordedHandshakeIsWorthNothing() {
        Step answer = leader.step(bytes(member.opening()));
        Step proof = member.step(lineOf(answer));
        LeaderHandshake next = new LeaderHandshake(hello(JOB, "node-0", "f00d", 1), key());

        assertThat(next.step(bytes(member.opening()))).isInstanceOf(Step.Answer.class);
        assertThat(next.step(lineOf(proof))).isInstanceOf(Step.Failed.class);
        MemberHandshake again = new MemberHandshake(hello(JOB, "node-1", "dead", 1), "node-0", key());
        assertThat(again.step(lineOf(answer))).isInstanceOf(Step.Failed.class);
    }

    @Test
    void onlyTheLauncherThatShouldLeadIsBelieved() {
        LeaderHandshake other = new LeaderHandshake(hello(JOB, "node-2", "beef", 1), key());

        assertThat(member.step(lineOf(other.step(bytes(member.opening()))))).isInstanceOf(Step.Failed.class);
    }

    @Test
    void nonsenseIsNonsense() {
        for (String line : List.of(
                "",
                "{}",
                "GET / HTTP/1.1",
                "{\"muster-link\":\"1\"}",
                "{\"muster-link\":1}",
                "[[[[[[",
                "\u0000\u0001",
                "{\"muster-link\":1,\"job\":\"../..\",\"launcher\":\"x\",\"run\":\"y\",\"nonce\":\"z\",\"mac\":\"\"}",
                "{\"proof\":\"\"}")) {
            assertThat(new LeaderHandshake(leaderHello, key()).step(bytes(line)))
                    .isEqualTo(new Step.Failed("", Why.NONSENSE, Optional.empty()));
            assertThat(new MemberHandshake(memberHello, "node-0", key()).step(bytes(line)))
                    .isInstanceOf(Step.Failed.class);
        }
    }

    @Test
    void lineEndsAfterASecretDoNotCount() {
        JobKey withEnd = JobKey.of(bytes("a secret\r\n"), JOB);

        assertThat(withEnd.digest("x")).isEqualTo(key().digest("x"));
        assertThat(JobKey.of(bytes("a secret "), JOB).digest("x")).isNotEqualTo(key().digest("x"));
        assertThat(JobKey.of(SECRET, "job-2").digest("x")).isNotEqualTo(key().digest("x"));
    }

    private static JobKey key() {
        return JobKey.of(SECRET, JOB);
    }

    private static Hello hello(String job, String launcher, String nonce, long version) {
        return new Hello(version, JobKey.hashOf(job), launcher, "run-of-" + launcher, nonce);
    }

    private static byte[] lineOf(Step step) {
        return bytes(step instanceof Step.Answer answer ? answer.line() : ((Step.Done) step).line());
    }

    private static byte[] unended(byte[] line) {
        return Arrays.copyOf(line, line.length - 1);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
