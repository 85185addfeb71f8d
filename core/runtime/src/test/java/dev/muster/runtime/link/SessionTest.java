package dev.muster.runtime.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SessionTest {

    private final Session sender = new Session(new Hmac(new byte[] {1}), new Hmac(new byte[] {2}));
    private final Session receiver = new Session(new Hmac(new byte[] {2}), new Hmac(new byte[] {1}));

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
        Fact fact = new Fact(Map.of("is", "ended", "code", 3L, "list", List.of("a", true), "map", Map.of("b", 1L)));
        Batch batch = new Batch(7, List.of(fact, new Fact(Map.of())), 5, -9_000_000_000_000L, 12, 3);

        assertThat(receiver.open(seal(BatchLine.of(batch))).flatMap(BatchLine::read))
                .hasValue(batch);
    }

    private byte[] seal(Map<String, Object> content) {
        byte[] line = sender.seal(content);
        return Arrays.copyOf(line, line.length - 1);
    }
}
