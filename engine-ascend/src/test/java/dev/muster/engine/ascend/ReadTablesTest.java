package dev.muster.engine.ascend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.InputValue;
import dev.muster.spi.PlanException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReadTablesTest {

    private static final Map<String, Object> CONTENT = new RandomTable(3).content();

    private final ReadTables tables = new ReadTables();

    /** 3.8: a table that was read ahead is not read once more for the plan. */
    @Test
    void theSameContentIsReadOnce() throws PlanException {
        RankTable first = tables.of(new InputValue.Json("table.json", CONTENT));

        assertThat(tables.of(new InputValue.Json("table.json", CONTENT))).isSameAs(first);
    }

    @Test
    void whatElseThereIsIsReadAgain() throws PlanException {
        RankTable first = tables.of(new InputValue.Json("table.json", CONTENT));

        assertThat(tables.of(new InputValue.Json("other.json", CONTENT)).path()).isEqualTo("other.json");
        assertThat(tables.of(new InputValue.Json("table.json", new LinkedHashMap<>(CONTENT))))
                .isNotSameAs(first);
    }
}
