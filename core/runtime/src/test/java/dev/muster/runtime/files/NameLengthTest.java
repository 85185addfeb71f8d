package dev.muster.runtime.files;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class NameLengthTest {

    @Test
    @DisplayName("10.1 a name that is too long lacks a piece of its middle, and no half letter is left")
    void aNameIsFitted() {
        assertThat(NameLength.fit("j".repeat(255))).hasSize(255);
        assertThat(NameLength.fit("j".repeat(236) + "-node-0-result.1.json"))
                .isEqualTo("j".repeat(234) + "-node-0-result.1.json");
        for (String letter : new String[] {"j", "\u00e9", "\u65e5", "\ud83d\ude00"}) {
            for (int more = 0; more < 5; more++) {
                String name = "a" + letter.repeat(100) + "b".repeat(more) + letter.repeat(100) + "-end.txt";
                String fitted = NameLength.fit(name);
                assertThat(NameLength.of(fitted)).isBetween(Math.min(251, NameLength.of(name)), NameLength.MOST);
                assertThat(fitted).startsWith("a").endsWith(letter + "-end.txt").doesNotContain("?");
                assertThat(fitted.replace(letter, "")).matches("ab*-end\\.txt");
            }
        }
    }
}
