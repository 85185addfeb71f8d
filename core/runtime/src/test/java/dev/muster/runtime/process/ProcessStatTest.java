package dev.muster.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProcessStatTest {

    /** As Linux writes it; the field behind the start, the size, is 8192, and the one behind the stack is 6. */
    private static final String BEHIND_NAME = " S 7 8 9 34816 -1 4194304 100 0 0 0 1 2 3 4 20 0 11 0 987654 8192 5"
            + " 18446744073709551615 1 2 140722218645344 6\n";

    @ParameterizedTest
    @ValueSource(strings = {"bash", "a b", "x) S 1 1 1", "(sd-pam)", "", ") ("})
    void namesMayHoldAnything(String name) throws IOException {
        assertThat(parse("4711 (" + name + ")" + BEHIND_NAME))
                .isEqualTo(new ProcessStat(4711, name, 'S', 7, 8, 9, 11, 987654, 140722218645344L));
    }

    @Test
    void onesWithoutGroupAndSession() throws IOException {
        ProcessStat ending = parse("5 (sh) X 0 -1 -1 0 -1 4 0 0 0 0 0 0 0 0 20 0 0 0 300 0\n");

        assertThat(ending).isEqualTo(new ProcessStat(5, "sh", 'X', 0, -1, -1, 0, 300, 0));
        assertThat(ending.isDead()).isTrue();
    }

    @Test
    void whoseFirstThreadHasEndedGoesOn() throws IOException {
        String zombie = "5 (sh) Z 7 8 9 0 -1 4 0 0 0 0 0 0 0 0 20 0 %s 0 300 0\n";

        assertThat(parse(zombie.formatted("1")).isDead()).isTrue();
        assertThat(parse(zombie.formatted("2")).isDead()).isFalse();
    }

    @Test
    void ofThisProcess() throws IOException {
        ProcessHandle self = ProcessHandle.current();
        ProcessStat stat = ProcessStat.of(self.pid());

        assertThat(stat.parent()).isEqualTo(self.parent().orElseThrow().pid());
        assertThat(stat.isDead()).isFalse();
        assertThat(stat.threads()).isPositive();
        assertThat(stat.stack()).isPositive();
        assertThat(stat.start()).isBetween(1L, ProcFiles.uptime());
    }

    @Test
    void theMachinesTimeIsCountedInTheSameTicks() {
        assertThat(ProcFiles.ticks("0.29 0.50\n")).isEqualTo(29);
        assertThat(ProcFiles.ticks("16532.19 20123.00\n")).isEqualTo(1_653_219);
    }

    @Test
    void whoeverHasEndedMeanwhile() {
        assertThatThrownBy(() -> ProcessStat.parse(5, new byte[10], -1)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> ProcessStat.of(Integer.MAX_VALUE)).isInstanceOf(IOException.class);
    }

    private static ProcessStat parse(String line) throws IOException {
        byte[] text = line.getBytes(StandardCharsets.ISO_8859_1);
        return ProcessStat.parse(Long.parseLong(line.substring(0, line.indexOf(' '))), text, text.length);
    }
}
