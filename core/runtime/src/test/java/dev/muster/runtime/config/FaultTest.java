package dev.muster.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FaultTest {

    @Test
    void isInTheFirstRunUnlessAnotherIsSaid() {
        assertThat(Fault.parse("rank=3,after=2s")).contains(new Fault("3", Duration.ofSeconds(2), OptionalInt.of(1)));
        assertThat(Fault.parse("run=2,after=500ms,rank=0"))
                .contains(new Fault("0", Duration.ofMillis(500), OptionalInt.of(2)));
        assertThat(Fault.parse("rank=worker-1,after=0,run=all"))
                .contains(new Fault("worker-1", Duration.ZERO, OptionalInt.empty()));
    }

    @Test
    void knowsItsRuns() {
        Fault second = Fault.parse("rank=3,after=2s,run=2").orElseThrow();
        Fault every = Fault.parse("rank=3,after=2s,run=all").orElseThrow();

        assertThat(List.of(second.isIn(1), second.isIn(2), second.isIn(3))).containsExactly(false, true, false);
        assertThat(every.isIn(1) && every.isIn(7)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "3",
                "rank=3",
                "after=2s",
                "rank=,after=2s",
                "rank=-1,after=2s",
                "rank=03,after=2s",
                "rank=0x3,after=2s",
                "rank=3000000000,after=2s",
                "rank=3,rank=4,after=2s",
                "rank=3,after=2s,",
                "rank=3,after=2s,run=0",
                "rank=3,after=2s,run=-1",
                "rank=3,after=2s,run=",
                "rank=3,after=2s,run=every",
                "rank=3,after=soon",
                "rank=3,after=-2s",
                "rank=3,after=99999h",
                "rank=3, after=2s",
                "rank=3;after=2s",
                "rank=worker 1,after=2s",
                "rank=3,after=2s,signal=TERM"
            })
    void takesNothingElse(String text) {
        assertThat(Fault.parse(text)).isEmpty();
        assertThat(Fault.description(text)).contains("rank=3,after=2s");
    }

    @Test
    void namesTheKeyThatIsMeant() {
        assertThat(Fault.description("rnk=3,after=2s")).contains("there is no rnk (did you mean rank?)");
    }

    @Test
    void manyAreOneText() {
        List<Fault> faults = List.of(
                Fault.parse("rank=3,after=2s").orElseThrow(),
                Fault.parse("rank=worker-1,after=1500ms,run=all").orElseThrow());

        assertThat(Fault.parseAll(Fault.text(faults))).contains(faults);
        assertThat(Fault.parseAll("rank=3,after=2s;")).isEmpty();
    }
}
