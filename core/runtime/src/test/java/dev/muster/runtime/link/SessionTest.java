package dev.muster.runtime.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SessionTest {

    private static final Hello MEMBER = new Hello(1, "job", "node-1", "run", "one");
    private static final Hello LEADER = new Hello(1, "job", "node-0", "run", "two");

    private final Session sender = session("member", "leader");
    private final Session receiver = session("leader", "member");

    private static Session session(String own, String other) {
        JobKey key = JobKey.of(new byte[] {1}, "job");
        return new Session(key.session(own, MEMBER, LEADER), key.session(other, MEMBER, LEADER));
    }

    @Test
    void linesArriveInTheirOrder() {
        for (long number = 1; number < 5; number++) {
            assertThat(receiver.open(seal(Map.of("text", "ä\n\u0001\""))))
                    .hasValue(Map.of("n", number, "text", "ä\n\u0001\""));
        }
    }

    @Test
    void aLineIsOneLineWithItsSealAtTheEnd() {
        String line = new String(sender.seal(Map.of("text", "a\nb")), StandardCharsets.UTF_8);

        assertThat(line).matches("\\{\"n\":1,\"text\":\"a\\\\nb\",\"mac\":\"[0-9a-f]{32}\"}\n");
    }

    @Test
    void replayedMissingAndReorderedLinesAreNotOpened() {
        byte[] first = seal(Map.of());
        byte[] second = seal(Map.of());

        assertThat(receiver.open(second)).isEmpty();
        assertThat(receiver.open(first)).isPresent();
        assertThat(receiver.open(first)).isEmpty();
    }

    @Test
    void aLineCannotBeSentBack() {
        assertThat(sender.open(seal(Map.of()))).isEmpty();
    }

    @Test
    void noBitCanBeChanged() {
        byte[] line = seal(Map.of("code", 3L));
        for (int at = 0; at < line.length; at++) {
            byte[] changed = line.clone();
            changed[at] ^= 1;
            assertThat(receiver.open(changed)).isEmpty();
            assertThat(receiver.open(Arrays.copyOf(line, at))).isEmpty();
        }
        assertThat(receiver.open(line)).isPresent();
    }

    @Test
    void anyBytesAreRefused() {
        Random random = new Random(7);
        for (int length = 0; length < 300; length++) {
            byte[] bytes = new byte[length];
            random.nextBytes(bytes);
            assertThat(receiver.open(bytes)).isEmpty();
        }
    }

    @Test
    void aBatchSurvivesTheWay() {
        Map<String, Object> message =
                Map.of("is", "ended", "code", 3L, "list", List.of("a", true), "map", Map.of("b", 1L));
        Channel.Batch batch = new Channel.Batch(7, List.of(message, Map.of()), 5);

        Map<String, Object> come = receiver.open(seal(Json.toMap(batch))).orElseThrow();
        assertThat(Json.toRecord(come, Channel.Batch.class).toString()).isEqualTo(batch.toString());
    }

    private byte[] seal(Map<String, Object> content) {
        byte[] line = sender.seal(content);
        return Arrays.copyOf(line, line.length - 1);
    }
}
