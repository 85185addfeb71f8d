package dev.muster.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.config.Command;
import dev.muster.runtime.config.KnownOptions;
import dev.muster.runtime.config.Option;
import dev.muster.runtime.engines.AscendForTests;
import dev.muster.runtime.errors.ExitCode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class HelpPagesTest {

    private static final KnownOptions WITH_ENGINE = KnownOptions.with(new AscendForTests().descriptor());

    @Test
    void theFirstPageFitsOnAScreenAndBeginsWithExamples() {
        List<String> lines = page(Command.HELP).lines().toList();

        assertThat(lines).hasSizeLessThanOrEqualTo(48);
        assertThat(lines.get(2)).isEqualTo("  muster --engine ascend -- python3 train.py");
    }

    @Test
    void theFirstPageHasAllCommandsAndExitCodes() {
        assertThat(page(Command.HELP)).contains(Command.words());
        for (ExitCode code : ExitCode.values()) {
            assertThat(page(Command.HELP)).contains("\n  " + code.code() + " ").contains(code.meaning());
        }
    }

    @ParameterizedTest
    @EnumSource(Command.class)
    void noLineIsWiderThanAScreen(Command command) {
        assertThat(page(command).lines()).allSatisfy(line -> {
            assertThat(line.length()).isLessThanOrEqualTo(80);
            assertThat(line).isEqualTo(line.stripTrailing());
        });
    }

    @ParameterizedTest
    @EnumSource(value = Command.class, mode = EnumSource.Mode.EXCLUDE, names = "HELP")
    void aCommandsPageHasAllItsOptionsAndNoOthers(Command command) {
        String page = page(command);
        for (Option option : WITH_ENGINE.options()) {
            // One option may be the beginning of another one: --all, --all-nodes.
            assertThat((page + " ").replace('\n', ' ').contains("  " + option.usage() + " "))
                    .isEqualTo(option.belongsTo(command));
        }
    }

    @Test
    void defaultsAreShown() {
        assertThat(page(Command.LAUNCH)).contains("--grace D", "(15s)", "(30m)");
    }

    @Test
    void examplesAreThoseOfTheEngineWhereTheyFitTheCommand() {
        KnownOptions known = KnownOptions.with(
                new AscendForTests().descriptor().withExamples("-- a.py", "--cards 8 -- " + "x".repeat(60)));

        assertThat(new HelpPages(known).page(List.of("plan")))
                .contains("\nExamples:\n  muster plan --engine ascend -- a.py\n")
                .contains("\n  muster plan --engine ascend --cards 8 -- \\\n      xxx");
        assertThat(new HelpPages(known).page(List.of("simulate")))
                .contains("\n  muster simulate --nodes 2 --cards 4 --engine ascend -- python3 train.py\n");
        assertThat(page(Command.STOP)).contains("\n  muster stop --job run7\n");
    }

    private static String page(Command command) {
        return new HelpPages(WITH_ENGINE).page(List.of(command.word()));
    }
}
