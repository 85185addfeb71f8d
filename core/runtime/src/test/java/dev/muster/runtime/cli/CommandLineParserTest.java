package dev.muster.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.runtime.config.Command;
import dev.muster.runtime.config.KnownOptions;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.engines.AscendForTests;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.EngineOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandLineParserTest {

    private static final KnownOptions TABLE = KnownOptions.with(new AscendForTests().descriptor());

    @Test
    void whatFollowsTheSeparatorIsTheJobsUnchanged() {
        CommandLine line = parse("--engine", "ascend", "--", "python", "--help", "--", "", "-x");

        assertThat(line.command()).isEqualTo(Command.LAUNCH);
        assertThat(line.options()).containsExactly(Setting.ofCommandLine("engine", "ascend", "--engine"));
        assertThat(line.job()).containsExactly("python", "--help", "--", "", "-x");
    }

    @ParameterizedTest
    @ValueSource(strings = {"launch", "plan", "simulate"})
    void theFirstWordIsTheCommand(String word) {
        assertThat(parse(word, "--", "x").command().word()).isEqualTo(word);
    }

    @Test
    void valuesStandBehindTheFlagOrAreAttached() {
        CommandLine line =
                parse("--grace=10m", "--nodes", "2", "--workdir=", "--log-dir", "-x", "--verbose", "--", "x");

        assertThat(line.options())
                .containsExactly(
                        Setting.ofCommandLine("grace", "10m", "--grace"),
                        Setting.ofCommandLine("nodes", "2", "--nodes"),
                        Setting.ofCommandLine("workdir", "", "--workdir"),
                        Setting.ofCommandLine("log-dir", "-x", "--log-dir"),
                        Setting.ofCommandLine("verbose", "true", "--verbose"));
    }

    @Test
    void anAttachedValueMayHoldAnything() {
        assertThat(parse("--mask=--grace", "--mask", "a=b", "--verbose=false").options())
                .extracting(Setting::value)
                .containsExactly("--grace", "a=b", "false");
    }

    @Test
    void engineOptionsCanBeGivenInTwoWays() {
        CommandLine line = parse("--rank-table", "t.json", "-o", "verbose=true");

        assertThat(line.options())
                .containsExactly(
                        Setting.ofCommandLine("rank-table", "t.json", "--rank-table"),
                        Setting.ofCommandLine("verbose", "true", "-o verbose"));
        assertThat(line.unknown()).isEmpty();
    }

    @Test
    void unknownFlagsAreNotedWithTheirValuesPassedOver() {
        CommandLine line = CommandLineParser.parse(
                List.of("--rank-table", "t.json", "--verbose", "--x=y", "-o", "a=b", "-n", "3", "--nodes", "2"),
                KnownOptions.ofMuster());

        assertThat(line.unknown()).containsExactly("--rank-table", "--verbose", "--x", "-o a", "-n");
        assertThat(line.options()).containsExactly(Setting.ofCommandLine("nodes", "2", "--nodes"));
    }

    @Test
    void repeatableOptionsMayBeRepeatedAndOthersNot() {
        assertThat(parse("--mask", "A", "--mask", "B").options()).hasSize(2);
        assertRefused("--grace is given twice (--grace, then --grace): leave one out", "--grace", "1", "--grace=2");
        assertRefused(
                "--rank-table is given twice (-o rank-table, then --rank-table): leave one out",
                "-o",
                "rank-table=a",
                "--rank-table",
                "b");
    }

    @Test
    void aMissingValueIsToldWithTheFormOfTheOption() {
        assertRefused("--grace needs a value: --grace D", "--grace");
        assertRefused("--grace needs a value: --grace D", "--grace", "--", "x");
        assertRefused("--grace needs a value: --grace D", "--grace", "--nodes", "2");
        assertRefused("--grace needs a value: --grace D", "--grace", "--nodes=2");
        assertRefused("-o: \"x\" is not NAME=VALUE", "-o", "x");
        assertRefused("-o nodes: that is no option of an engine; write --nodes N", "-o", "nodes=2");
    }

    @Test
    void aFlagOfAnotherCommandSaysWhereItBelongs() {
        assertRefused("--late belongs to muster simulate, not to muster launch", "--late", "3s", "--", "x");
        assertRefused(
                "--node-index belongs to muster launch and muster plan and muster doctor, not to muster simulate",
                "simulate",
                "--node-index");
    }

    @Test
    void wordsThatAreNoOptionsAreRefused() {
        assertRefused(
                "there is no option \"python\"; the training command stands after --:"
                        + " muster launch --engine E -- python",
                "--engine",
                "ascend",
                "python",
                "train.py");
        assertRefused(
                "\"python\" is not a command of Muster; a training command stands after --:"
                        + " muster --engine E -- python",
                "python",
                "train.py");
        assertRefused("\"pln\" is not a command of Muster (did you mean plan?);", "pln", "--", "x");
        assertRefused("the command plan must come first: muster plan ...", "--engine", "ascend", "plan", "--", "x");
        assertRefused("there is no option \"x\"; muster engines takes no words", "engines", "x");
        assertRefused("there is no option \"-\";", "--nodes", "2", "-");
    }

    private static CommandLine parse(String... arguments) {
        return CommandLineParser.parse(List.of(arguments), TABLE);
    }

    private static void assertRefused(String message, String... arguments) {
        assertThatThrownBy(() -> parse(arguments))
                .isInstanceOf(MusterException.class)
                .hasMessageStartingWith(message)
                .extracting(exception -> ((MusterException) exception).exitCode())
                .isEqualTo(ExitCode.USAGE);
    }

    @Test
    void aSwitchOfAnEngineTakesAValueAndNeedsNone() {
        KnownOptions table = KnownOptions.with(EngineDescriptor.of("e", "for tests")
                .withOptions(EngineOption.of("inject", EngineOption.Kind.SWITCH, "for tests")));

        assertThat(CommandLineParser.parse(List.of("--inject", "false", "--nodes", "2", "--", "x"), table)
                        .options())
                .containsExactly(
                        Setting.ofCommandLine("inject", "false", "--inject"),
                        Setting.ofCommandLine("nodes", "2", "--nodes"));
        assertThat(CommandLineParser.parse(List.of("--inject", "--", "x"), table)
                        .options())
                .containsExactly(Setting.ofCommandLine("inject", "true", "--inject"));
        assertThat(CommandLineParser.parse(List.of("-o", "inject=false", "--", "x"), table)
                        .options())
                .containsExactly(Setting.ofCommandLine("inject", "false", "-o inject"));
    }
}
