package dev.muster.runtime.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

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
}
