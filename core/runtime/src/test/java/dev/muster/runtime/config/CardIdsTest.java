package dev.muster.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CardIdsTest {

    @Test
    void idsKeepTheOrderGiven() {
        assertThat(CardIds.parse("4,0-2")).contains(List.of(4, 0, 1, 2));
    }
}
