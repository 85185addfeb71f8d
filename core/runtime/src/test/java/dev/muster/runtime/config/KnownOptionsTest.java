package dev.muster.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.EngineOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KnownOptionsTest {

    @Test
    void flagVariableAndKeyFollowFromTheName() {
        assertThat(OptionTable.INPUT_TIMEOUT.flag()).isEqualTo("--input-timeout");
        assertThat(OptionTable.INPUT_TIMEOUT.usage()).isEqualTo("--input-timeout D");
        assertThat(OptionTable.INPUT_TIMEOUT.variable()).contains("MUSTER_INPUT_TIMEOUT");
        assertThat(OptionTable.INPUT_TIMEOUT.isKey()).isTrue();
        assertThat(OptionTable.ENGINE_OPTION.flag()).isEqualTo("-o");
        assertThat(OptionTable.ENGINE_OPTION.variable()).isEmpty();
        assertThat(OptionTable.CONFIG.variable()).contains("MUSTER_CONFIG");
        assertThat(OptionTable.CONFIG.isKey()).isFalse();
    }

    @Test
    void everyOptionCanBeFoundAndBelongsSomewhere() {
        assertThat(KnownOptions.ofMuster().options()).hasSizeGreaterThan(20).allSatisfy(option -> {
            assertThat(KnownOptions.ofMuster().find(option.name())).contains(option);
            assertThat(option.commands()).isNotEmpty();
            assertThat(option.help()).isNotEmpty().doesNotEndWith(".");
        });
    }

    @Test
    void anEnginesOptionsBecomeRowsOfTheTable() {
        KnownOptions table = KnownOptions.with(EngineDescriptor.of("test", "for tests")
                .withOptions(
                        EngineOption.of("rank-table", EngineOption.Kind.PATH, "the rank table"),
                        EngineOption.choice("table-family", "which table", "one", "two")));

        Option path = table.find("rank-table").orElseThrow();
        assertThat(path.variable()).contains("MUSTER_RANK_TABLE");
        assertThat(path.belongsTo(Command.LAUNCH)).isTrue();
        assertThat(path.belongsTo(Command.ENGINES)).isFalse();
        Option family = table.find("table-family").orElseThrow();
        assertThat(family.usage()).isEqualTo("--table-family one|two");
        assertThat(family.defaultValue()).contains("one");
        assertThat(KnownOptions.ofMuster().find("rank-table")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"grace", "o", "x", "", "Rank", "rank_table", "-x", "x-", "rank table"})
    void namesThatAreTakenOrNoFlagsAreRefused(String name) {
        assertThatThrownBy(() -> KnownOptions.with(engine(EngineOption.of(name, EngineOption.Kind.TEXT, "x"))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aDefaultValueOfAWrongFormIsRefused() {
        EngineOption option =
                EngineOption.of("hosts", EngineOption.Kind.COUNT, "how many").withDefault("zero");

        assertThatThrownBy(() -> KnownOptions.with(engine(option)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("option hosts")
                .hasMessageContaining("whole number");
    }

    private static EngineDescriptor engine(EngineOption option) {
        return EngineDescriptor.of("test", "for tests").withOptions(option);
    }
}
