package dev.muster.runtime.certify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.certify.Probe.SeenRank;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ContractTest {

    private static final Map<String, String> CALLER = Map.of("HOME", "/root", "OLD_RANK", "7", "PATH", "/bin");

    private final Contract contract = new Contract(
            List.of(rank("0", "/t/table.json", "--at=h:5555"), rank("1", "/t/table.json", "--at=h:5555")),
            CALLER,
            name -> Set.of("RANK", "TABLE", "MASTER_PORT", "CONFIG", "OLD_RANK", "PATH")
                    .contains(name));

    @Test
    void onlyWhatTheEngineSetsOrRemovesBelongsToIt() {
        assertThat(contract.names()).containsExactly("CONFIG", "MASTER_PORT", "OLD_RANK", "RANK", "TABLE");
    }

    @Test
    void ranksMayComeInAnyOrderWithOtherPortsAndPaths() {
        SeenRank other = rank("1", "/elsewhere/table.json", "--at=h:6666");
        other.variables().put("CONFIG", "{\"b\": 1,\"a\":\"h:9999\"}");
        other.variables().put("MASTER_PORT", "1234");
        SeenRank first = rank("0", "/elsewhere/table.json", "--at=h:6666");
        first.variables().put("MASTER_PORT", "1234");

        assertThat(contract.problems(List.of(other, first))).isEmpty();
    }

    @Test
    void whatIsWrongIsNamed() {
        SeenRank wrong = rank("0", "/t/table.json", "--at=h");
        wrong.variables().put("OLD_RANK", "7");
        wrong.variables().put("HOME", "/");
        wrong.variables().put("MASTER_PORT", "1");

        assertThat(contract.problems(List.of(wrong, rank("0", "/t/table.json", "--at=h:1234"))))
                .hasEntrySatisfying(
                        "R4.1",
                        problems -> assertThat(problems)
                                .containsExactlyInAnyOrder(
                                        "OLD_RANK is \"7\", not unset",
                                        "RANK is \"0\", not \"1\"",
                                        "MASTER_PORT differs from rank to rank"))
                .hasEntrySatisfying(
                        "R4.2", problems -> assertThat(problems).containsExactly("HOME is missing or changed"))
                .hasEntrySatisfying("R9.1", problems -> assertThat(problems).hasSize(1));
    }

    @Test
    void aPathThatIsNotThereIsWrong() {
        SeenRank one = rank("0", "/t/table.json", "--at=h:1111");
        SeenRank gone = new SeenRank(one.variables(), one.arguments(), "/", Set.of(), 0, false);
        gone.variables().put("TABLE", "/gone");

        assertThat(contract.problems(List.of(gone, rank("1", "/t/table.json", "--at=h:1111"))))
                .containsOnlyKeys("R4.1", "R5.1");
    }

    private static SeenRank rank(String number, String table, String end) {
        Map<String, String> variables = new HashMap<>(CALLER);
        variables.remove("OLD_RANK");
        variables.putAll(Map.of("RANK", number, "TABLE", table, "MASTER_PORT", "5555"));
        variables.put("CONFIG", "{\"a\": \"h:5555\", \"b\": 1}");
        List<String> arguments = new ArrayList<>(Probe.ARGUMENTS);
        arguments.add(end);
        return new SeenRank(variables, arguments, "/work", Set.of("TABLE"), 0, false);
    }
}
