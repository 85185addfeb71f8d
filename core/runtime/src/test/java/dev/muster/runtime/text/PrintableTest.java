package dev.muster.runtime.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrintableTest {

    @Test
    void leavesOrdinaryTextAlone() {
        assertThat(Printable.escape("jobä-0 日本 \"x\" 🚀")).isEqualTo("jobä-0 日本 \"x\" 🚀");
    }

    @Test
    void showsControlCharacters() {
        assertThat(Printable.escape("a\nb\tc\rd")).isEqualTo("a\\nb\\tc\\rd");
    }

    @Test
    void defusesTerminalSequences() {
        assertThat(Printable.escape("\u001b[2Jpod\u0007\u009b\u007f\0"))
                .isEqualTo("\\u001b[2Jpod\\u0007\\u009b\\u007f\\u0000");
    }

    @Test
    void quotes() {
        assertThat(Printable.quote("a\nb")).isEqualTo("\"a\\nb\"");
    }

    @ParameterizedTest
    @ValueSource(ints = {0x202e, 0x2066, 0x200f, 0x061c, 0x2028, 0x2029, 0x200b, 0xfeff, 0x00ad, 0xd800, 0xdfff})
    void showsWhatReordersHidesOrBreaks(int character) {
        assertThat(Printable.escape("a" + (char) character + "b"))
                .isEqualTo("a" + String.format("\\u%04x", character) + "b");
        assertThat(Printable.isPlain("a" + (char) character)).isFalse();
    }

    @Test
    void showsTagsThatAreNotSeen() {
        assertThat(Printable.escape("a\udb40\udc41")).isEqualTo("a\\udb40\\udc41");
    }

    @Test
    void escapesNothingTwice() {
        String once = Printable.escape("\u001b\n\u202e");
        assertThat(Printable.escape(once)).isEqualTo(once);
    }
}
