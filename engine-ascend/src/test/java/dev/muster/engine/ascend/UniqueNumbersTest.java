package dev.muster.engine.ascend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.InputValue;
import dev.muster.spi.PlanException;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class UniqueNumbersTest {

    private static final int ARRAYS = 4;
    private static final int SIZE = 500;

    /** 3.8: in whatever order numbers come, who had one first is told of every second one. */
    @Test
    void theFirstHolderOfANumberIsKept() throws PlanException {
        for (long seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            // Almost all ascend, or hardly any.
            double disorder = random.nextInt(4) / 4.0;
            UniqueNumbers numbers = new UniqueNumbers();
            Map<Long, String> first = new HashMap<>();
            long next = 0;
            for (int array = 0; array < ARRAYS; array++) {
                JsonView elements = array(array);
                for (int index = 0; index < SIZE; index++) {
                    next += 1 + random.nextInt(3);
                    long number = random.nextDouble() < disorder ? random.nextInt(4 * SIZE) : next;
                    Optional<JsonView> holder = numbers.add(number, elements, index);
                    assertThat(holder.map(JsonView::pointer))
                            .as("seed %d", seed)
                            .isEqualTo(Optional.ofNullable(first.putIfAbsent(number, "/" + array + "/" + index)));
                }
            }
            assertThat(numbers.size()).isEqualTo(first.size());
            assertThat(first.keySet()).allMatch(numbers::has);
            assertThat(numbers.has(Long.MAX_VALUE - 1)).isFalse();
        }
    }

    private static JsonView array(int number) throws PlanException {
        List<Integer> elements = Collections.nCopies(SIZE, 0);
        return JsonView.of(new InputValue.Json("table.json", Map.of(Integer.toString(number), elements)))
                .child(Integer.toString(number));
    }
}
