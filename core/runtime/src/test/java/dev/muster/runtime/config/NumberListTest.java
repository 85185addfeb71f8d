package dev.muster.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NumberListTest {

    @Test
    void cardsKeepTheOrderGiven() {
        assertThat(NumberList.cards("4,0-2")).contains(List.of(4, 0, 1, 2));
    }

    @Test
    void noCardStandsTwice() {
        assertThat(NumberList.cards("0-2,1")).isEmpty();
        assertThat(NumberList.cards("0-4095,0-4095")).isEmpty();
    }

    @Test
    void ranksGoFarBeyondCards() {
        assertThat(NumberList.cards("4096")).isEmpty();
        assertThat(NumberList.ranks("4096-4098,4097").map(BitSet::stream).orElse(IntStream.empty()))
                .containsExactly(4096, 4097, 4098);
        assertThat(NumberList.ranks("3-1")).isEmpty();
    }
}
