package dev.muster.runtime.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class InboxTest {

    private final Inbox inbox = new Inbox();

    private static Fact fact(int number) {
        return new Fact(Map.of("number", (long) number));
    }

    @Test
    void takesEachFactOnce() {
        assertThat(inbox.take(1, List.of(fact(1), fact(2)))).containsExactly(fact(1), fact(2));
        assertThat(inbox.take(1, List.of(fact(1), fact(2)))).isEmpty();
        assertThat(inbox.take(2, List.of(fact(2), fact(3)))).containsExactly(fact(3));
        assertThat(inbox.received()).isEqualTo(3);
    }

    @Test
    void keepsWhatComesTooEarly() {
        assertThat(inbox.take(3, List.of(fact(3)))).isEmpty();
        assertThat(inbox.received()).isZero();
        assertThat(inbox.take(1, List.of(fact(1), fact(2)))).containsExactly(fact(1), fact(2), fact(3));
    }

    @Test
    void doesNotFillTheMemoryWithWhatComesTooEarly() {
        for (int number = 2; number < 10_000; number++) {
            inbox.take(number, List.of(fact(number)));
        }
        assertThat(inbox.take(1, List.of(fact(1)))).hasSizeLessThan(100);
    }

    @Test
    void putsEverythingInOrderHoweverItComes() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            Inbox shuffled = new Inbox();
            List<List<Integer>> batches = new ArrayList<>();
            for (int first = 1; first <= 40; first++) {
                int last = Math.min(40, first + random.nextInt(4));
                batches.add(List.of(first, last));
            }
            Collections.shuffle(batches, random);
            List<Fact> taken = new ArrayList<>();
            for (List<Integer> batch : batches) {
                List<Fact> facts = new ArrayList<>();
                for (int number = batch.get(0); number <= batch.get(1); number++) {
                    facts.add(fact(number));
                }
                taken.addAll(shuffled.take(batch.get(0), facts));
            }
            assertThat(taken).as("seed %d", seed).hasSize(40);
            for (int number = 1; number <= 40; number++) {
                assertThat(taken.get(number - 1)).as("seed %d", seed).isEqualTo(fact(number));
            }
        }
    }
}
