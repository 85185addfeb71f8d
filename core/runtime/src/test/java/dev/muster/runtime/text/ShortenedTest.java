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
        assertThat(Shortened.message("a" + "\ud83d\ude00".repeat(6000) + "b"))
                .isEqualTo("a" + "\ud83d\ude00".repeat(499) + "... (12002 characters) ..." + "\ud83d\ude00".repeat(249)
                        + "b");
    }

    @Test
    void aMessageOfUsualLengthStaysAsItIs() {
        assertThat(Shortened.message("")).isEmpty();
        assertThat(Shortened.message("x".repeat(5000))).hasSize(5000);
    }

    @Test
    void aLongValueLeavesOfAMessageWhatIsSaidOfIt() {
        String message = Shortened.message("it is \"" + "ab ".repeat(70_000) + "\", and wrong");

        assertThat(message)
                .hasSizeLessThan(1600)
                .startsWith("it is \"ab ")
                .contains("... (210019 characters) ...")
                .endsWith("\", and wrong");
    }
}
