package dev.muster.runtime.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TemplateTest {

    private static final String TEXT =
            "a ${NAME} b\nwith #if cards\nwithout #if !cards\n# if nobody asks\n$SHELL \"${NAME}\"\n";

    @Test
    void linesWhoseConditionDoesNotHoldAreLeftOut() {
        assertThat(new Template(TEXT).fill(Map.of("NAME", "n"), Set.of("cards")))
                .isEqualTo("a n b\nwith\n# if nobody asks\n$SHELL \"n\"\n");
        assertThat(new Template(TEXT).fill(Map.of("NAME", "n"), Set.of()))
                .isEqualTo("a n b\nwithout\n# if nobody asks\n$SHELL \"n\"\n");
    }

    @Test
    void valuesAreTakenAsTheyAre() {
        assertThat(new Template("${NAME}").fill(Map.of("NAME", "$1 ${NAME} \\ #if cards"), Set.of()))
                .isEqualTo("$1 ${NAME} \\ #if cards\n");
    }

    @Test
    void aBlankWithoutValueIsAnErrorOfTheTemplate() {
        assertThatThrownBy(() -> new Template("${NAME}").fill(Map.of(), Set.of()))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("NAME");
    }
}
