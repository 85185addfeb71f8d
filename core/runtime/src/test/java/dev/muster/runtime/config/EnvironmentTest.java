package dev.muster.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class EnvironmentTest {

    @Test
    void withoutStartScriptItIsWhatTheProcessSees() {
        Environment environment = Environment.of(Map.of("LC_ALL", "C", "A", "b"));

        assertThat(environment.variables()).containsExactlyInAnyOrderEntriesOf(Map.of("LC_ALL", "C", "A", "b"));
        assertThat(environment.restored()).isEmpty();
        assertThat(environment.dropped()).isEmpty();
    }

    @Test
    void savedVariablesComeBack() {
        Environment environment = Environment.behindStartScript(Map.of(
                "LC_ALL", "C.UTF-8", "MUSTER_SAVED_LC_ALL", "de_DE", "MUSTER_SAVED_LD_PRELOAD", "/x.so", "A", "b"));

        assertThat(environment.variables())
                .containsExactlyInAnyOrderEntriesOf(Map.of("LC_ALL", "de_DE", "LD_PRELOAD", "/x.so", "A", "b"));
    }

    @Test
    void whatOnlyTheStartScriptSetIsGone() {
        Environment environment = Environment.behindStartScript(Map.of(
                "MUSTER_HOME", "/opt/muster",
                "MUSTER_CWD", "/here",
                "LC_ALL", "C.UTF-8",
                "PWD", "/here",
                "SHLVL", "1",
                "_", "/usr/bin/java",
                "HOME", "/root"));

        assertThat(environment.variables()).containsExactlyEntriesOf(new TreeMap<>(Map.of("HOME", "/root")));
    }

    @Test
    void aVariableSavedAsEmptyIsEmptyAndNotGone() {
        Environment environment = Environment.behindStartScript(Map.of("CLASSPATH", "x", "MUSTER_SAVED_CLASSPATH", ""));

        assertThat(environment.variables()).containsEntry("CLASSPATH", "");
        assertThat(environment.value("CLASSPATH")).isEmpty();
    }

    @Test
    void restoringAndDroppingMakesTheUsersEnvironmentFromTheProcesss() {
        Map<String, String> seen = Map.of(
                "MUSTER_HOME", "/m",
                "MUSTER_SAVED_LC_ALL", "C",
                "LC_ALL", "C.UTF-8",
                "PWD", "/here",
                "MUSTER_SAVED_OLDPWD", "/old",
                "A", "b");
        Environment environment = Environment.behindStartScript(seen);

        Map<String, String> made = new TreeMap<>(seen);
        made.keySet().removeAll(environment.dropped());
        made.putAll(environment.restored());

        assertThat(made).isEqualTo(environment.variables());
        assertThat(environment.dropped())
                .containsExactly("MUSTER_HOME", "MUSTER_SAVED_LC_ALL", "MUSTER_SAVED_OLDPWD", "PWD");
    }

    @Test
    void emptyVariablesHaveNoValue() {
        Environment environment = Environment.of(Map.of("EMPTY", "", "FULL", "x"));

        assertThat(environment.value("EMPTY")).isEmpty();
        assertThat(environment.value("ABSENT")).isEmpty();
        assertThat(environment.value("FULL")).contains("x");
    }

    @Test
    void changesCountInAllThatIsMadeOfIt() {
        Environment environment = Environment.behindStartScript(Map.of(
                        "MUSTER_HOME",
                        "/m",
                        "MUSTER_SAVED_PWD",
                        "/here",
                        "MUSTER_SAVED_OLDPWD",
                        "/old",
                        "A",
                        "a",
                        "B",
                        "b"))
                .changed(Map.of("A", "new", "OLDPWD", "x", "MUSTER_HOME", "mine"), Set.of("B", "PWD"));

        assertThat(environment.variables())
                .isEqualTo(new TreeMap<>(Map.of("A", "new", "OLDPWD", "x", "MUSTER_HOME", "mine")));
        assertThat(environment.restored()).isEqualTo(environment.variables());
        assertThat(environment.dropped()).containsExactly("B", "MUSTER_SAVED_OLDPWD", "MUSTER_SAVED_PWD", "PWD");
    }
}
