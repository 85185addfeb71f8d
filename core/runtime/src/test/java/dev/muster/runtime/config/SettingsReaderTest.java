package dev.muster.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.json.Json;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.EngineOption;
import dev.muster.spi.OptionValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsReaderTest {

    private static final Supplier<Set<String>> NO_OTHERS = Set::of;

    private static final KnownOptions TABLE = KnownOptions.with(EngineDescriptor.of("test", "for tests")
            .withOptions(
                    EngineOption.of("rank-table", EngineOption.Kind.PATH, "the rank table"),
                    EngineOption.of("ssh-key", EngineOption.Kind.PATH, "a place, which is no secret"),
                    EngineOption.of("access-token", EngineOption.Kind.COUNT, "a number that nobody may see")));

    @TempDir
    private Path directory;

    private final Map<String, String> variables = new HashMap<>();
    private final Map<String, Object> file = new HashMap<>();

    @Test
    void anEmptyVariableSaysNothing() throws IOException {
        variables.put("MUSTER_GRACE", "");

        assertThat(read().find(OptionTable.GRACE)).contains(setting("15s", "default", Setting.Source.DEFAULT));
        assertThat(read().given(OptionTable.GRACE)).isEmpty();
    }

    @Test
    void linksOfKubernetesToServicesCalledLikeMusterSayNothing() throws IOException {
        for (String service : List.of("MUSTER", "MUSTER_LINK", "MUSTER_GRACE")) {
            variables.put(service + "_SERVICE_HOST", "10.96.0.7");
            variables.put(service + "_SERVICE_PORT", "80");
            variables.put(service + "_SERVICE_PORT_HTTP", "80");
            for (String end : List.of("", "_80_TCP", "_80_TCP_PROTO", "_80_TCP_PORT", "_80_TCP_ADDR")) {
                variables.put(service + "_PORT" + end, "tcp://10.96.0.7:80");
            }
        }
        variables.put("MUSTER_PROT", "80");

        assertThat(read().given(OptionTable.LINK_PORT)).isEmpty();
        assertThat(read().warnings()).singleElement().asString().contains("MUSTER_PROT");
    }

    @Test
    void pathsBecomeAbsolute() throws IOException {
        Settings settings = read(
                Setting.ofCommandLine("workdir", "./work", "--workdir"),
                Setting.ofCommandLine("log-dir", "../logs", "--log-dir"),
                Setting.ofCommandLine("rank-table", "/a//b/", "-o rank-table"));

        assertThat(settings.path(OptionTable.WORKDIR)).contains(directory.resolve("work"));
        assertThat(settings.text(OptionTable.LOG_DIR)).contains(directory + "/../logs");
        assertThat(settings.engineOptions())
                .containsExactly(Map.entry("rank-table", new OptionValue("/a/b", "-o rank-table")));
    }

    @Test
    void repeatableOptionsCollectAllSources() throws IOException {
        variables.put("MUSTER_MASK", "B*, C*,");
        file.put("mask", List.of("D*"));

        assertThat(read(Setting.ofCommandLine("mask", "A*", "--mask")).all(OptionTable.MASK))
                .extracting(Setting::value)
                .containsExactly("A*", "B*", "C*", "D*");
    }

    @Test
    void aWrongFlagIsAUsageErrorAndAWrongVariableOrKeyOneOfConfiguration() {
        assertRefused(
                ExitCode.USAGE,
                "--nodes: \"0\" is not a whole number 1..4096",
                Setting.ofCommandLine("nodes", "0", "--nodes"));
        variables.put("MUSTER_NODES", "abc");
        assertRefused(ExitCode.CONFIGURATION, "MUSTER_NODES: \"abc\" is not a whole number 1..4096");
        variables.clear();
        file.put("nodes", 5000);
        assertRefused(ExitCode.CONFIGURATION, "muster.json, /nodes: \"5000\" is not a whole number 1..4096");
    }

    @Test
    void secretValuesAreNotShownInMessages() {
        assertRefused(
                ExitCode.USAGE,
                "--access-token: ****** is not a whole number 1..999999999",
                Setting.ofCommandLine("access-token", "hunter2", "--access-token"));
        assertRefused(
                ExitCode.USAGE,
                "--nodes: ****** is not a whole number 1..4096",
                Setting.ofCommandLine("mask", "node*", "--mask"),
                Setting.ofCommandLine("nodes", "hunter2", "--nodes"));
    }

    @Test
    void secretValuesAreMaskedAndPlacesShown() throws IOException {
        Settings settings = read();

        assertThat(settings.shown(Setting.ofCommandLine("access-token", "4711", "--access-token")))
                .isEqualTo("******");
        assertThat(settings.shown(Setting.ofCommandLine("ssh-key", "/root/.ssh/id_rsa", "--ssh-key")))
                .isEqualTo("/root/.ssh/id_rsa");
    }

    @Test
    void jsonValuesMayBeNumbersTruthValuesAndLists() throws IOException {
        file.put("nodes", 2L);
        file.put("all-nodes", true);
        file.put("card-ids", List.of(0L, "2-3"));

        Settings settings = read(Command.PLAN);
        assertThat(settings.number(OptionTable.NODES)).hasValue(2);
        assertThat(settings.isOn(OptionTable.ALL_NODES)).isTrue();
        assertThat(settings.text(OptionTable.CARD_IDS)).contains("0,2-3");
    }

    @Test
    void jsonValuesOfOtherTypesAreRefused() {
        file.put("nodes", List.of(2L));
        assertRefused(ExitCode.CONFIGURATION, "muster.json, /nodes: a list is no value for this setting");
        file.put("nodes", Map.of());
        assertRefused(ExitCode.CONFIGURATION, "muster.json, /nodes: the value must be a text, a number, true or false");
        file.put("nodes", null);
        assertRefused(ExitCode.CONFIGURATION, "muster.json, /nodes: the value must be a text, a number, true or false");
    }

    @Test
    void keysThatDoNotExistAreRefusedWithTheNearest() {
        file.put("graze", "1m");
        assertRefused(ExitCode.CONFIGURATION, "muster.json, /graze: there is no such setting (did you mean grace?)");
        file.clear();
        file.put("help", true);
        assertRefused(ExitCode.CONFIGURATION, "muster.json, /help: there is no such setting");
        file.clear();
        file.put("config", "other.json");
        assertRefused(ExitCode.CONFIGURATION, "muster.json, /config: there is no such setting");
    }

    @Test
    void keysAndVariablesOfOtherCommandsAndEnginesAreNoMistake() throws IOException {
        file.put("late", "3s");
        file.put("interface", "eth0");
        variables.put("MUSTER_LATE", "3s");
        variables.put("MUSTER_INTERFACE", "eth0");

        Settings settings = read(Command.LAUNCH, () -> Set.of("interface"));

        assertThat(settings.warnings()).isEmpty();
        assertThat(settings.find(OptionTable.LATE)).isEmpty();
    }

    @Test
    void theListHasAllSettingsInTheOrderOfTheHelpAndNoQuestions() throws IOException {
        Settings settings = read(Setting.ofCommandLine("rank-table", "/t", "--rank-table"));

        assertThat(settings.list())
                .extracting(Setting::name)
                .startsWith("platform", "bind", "report", "grace", "stop-signal-to", "input-timeout")
                .endsWith("rank-table")
                .doesNotContain("help", "version", "o");
    }

    private void assertRefused(ExitCode code, String message, Setting... given) {
        assertThatThrownBy(() -> read(given))
                .isInstanceOf(MusterException.class)
                .hasMessageStartingWith(message)
                .extracting(exception -> ((MusterException) exception).exitCode())
                .isEqualTo(code);
    }

    private Settings read(Setting... given) throws IOException {
        return SettingsReader.read(sources(Arrays.asList(given)), TABLE, Command.LAUNCH, NO_OTHERS);
    }

    private Settings read(Command command) throws IOException {
        return SettingsReader.read(sources(List.of()), TABLE, command, NO_OTHERS);
    }

    private Settings read(Command command, Supplier<Set<String>> others) throws IOException {
        return SettingsReader.read(sources(List.of()), TABLE, command, others);
    }

    /** A variable names the configuration file. So the command line stays as the test gives it. */
    private SettingSources sources(List<Setting> given) throws IOException {
        if (!file.isEmpty()) {
            Files.writeString(directory.resolve("muster.json"), Json.line(file));
            variables.put("MUSTER_CONFIG", "muster.json");
        }
        return SettingSources.gather(TestProcesses.of(directory, variables), given);
    }

    private static Setting setting(String value, String origin, Setting.Source source) {
        return new Setting("grace", value, origin, source);
    }
}
