package dev.muster.runtime.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ShortenedTest {

    @Test
    void shortTextsStayAsTheyAre() {
        assertThat(Shortened.to(5, "")).isEmpty();
        assertThat(Shortened.to(5, "abcde")).isEqualTo("abcde");
    }

    @Test
    void longTextsThatDifferAreToldApart() {
        String first = Shortened.to(5, "abcdefghij");

        assertThat(first).isEqualTo("abcde... (10 characters, SHA-256 72399361da6a7754)");
        assertThat(Shortened.to(5, "abcdefghij")).isEqualTo(first);
        assertThat(Shortened.to(5, "abcdefghiJ")).isNotEqualTo(first).startsWith("abcde... (10 characters, SHA-256 ");
    }

    @Test
    void charactersOfTwoUnitsStayWhole() {
        assertThat(Shortened.to(2, "a\ud83d\ude00b")).startsWith("a... (4 characters");
    }
}
