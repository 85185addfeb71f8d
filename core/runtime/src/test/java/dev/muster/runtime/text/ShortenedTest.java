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
        assertThat(Shortened.message("a" + "\ud83d\ude00".repeat(600) + "b"))
                .isEqualTo(
                        "a" + "\ud83d\ude00".repeat(99) + "... (1202 characters) ..." + "\ud83d\ude00".repeat(9) + "b");
    }

    @Test
    void aMessageOfUsualLengthStaysAsItIs() {
        String long1000 = "x".repeat(1000);
        assertThat(Shortened.message("")).isEmpty();
        assertThat(Shortened.message("--grace: \"x\"  is wrong ")).isEqualTo("--grace: \"x\"  is wrong ");
        assertThat(Shortened.message("  " + long1000 + " " + long1000 + " "))
                .isEqualTo("  " + long1000 + " " + long1000 + " ");
    }

    @Test
    void aLongValueLeavesOfAMessageWhatIsSaidOfIt() {
        assertThat(Shortened.message("--grace: \"" + "x".repeat(70_000) + "\" is not a duration"))
                .isEqualTo("--grace: \"" + "x".repeat(199) + "... (70002 characters) ..." + "x".repeat(19)
                        + "\" is not a duration");
    }

    @Test
    void aLongValueOfManyWordsDoesToo() {
        String message = Shortened.message("it is \"" + "ab ".repeat(70_000) + "\", and wrong");

        assertThat(message)
                .hasSizeLessThan(8100)
                .startsWith("it is \"ab ")
                .contains("... (210019 characters) ...")
                .endsWith("\", and wrong");
    }
}
