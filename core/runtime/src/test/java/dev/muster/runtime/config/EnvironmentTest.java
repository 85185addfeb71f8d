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
    void whatTheScriptChangedIsAsTheCallerHasIt() {
        Map<String, String> caller =
                Map.of("LC_ALL", "de_DE", "LD_PRELOAD", "/x.so", "A", "b", "MUSTER_SAVED_A", "c", "muster_self", "d");
        Environment environment = Environment.behindStartScript(
                Map.of("LC_ALL", "C.UTF-8", "A", "b", "MUSTER_SAVED_A", "c", "muster_self", "/bin/muster"), caller);

        assertThat(environment.variables()).isEqualTo(caller);
        assertThat(environment.restored())
                .isEqualTo(Map.of("LC_ALL", "de_DE", "LD_PRELOAD", "/x.so", "muster_self", "d"));
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
    void aVariableThatIsEmptyIsNotGone() {
        Environment environment = Environment.behindStartScript(Map.of("CLASSPATH", "x"), Map.of("CLASSPATH", ""));

        assertThat(environment.variables()).containsEntry("CLASSPATH", "");
        assertThat(environment.value("CLASSPATH")).isEmpty();
    }

    @Test
    void restoringAndDroppingMakesTheUsersEnvironmentFromTheProcesss() {
        Map<String, String> seen = Map.of("MUSTER_HOME", "/m", "LC_ALL", "C.UTF-8", "PWD", "/here", "A", "b");
        Environment environment =
                Environment.behindStartScript(seen, Map.of("LC_ALL", "C", "OLDPWD", "/old", "A", "b"));

        Map<String, String> made = new TreeMap<>(seen);
        made.keySet().removeAll(environment.dropped());
        made.putAll(environment.restored());

        assertThat(made).isEqualTo(environment.variables());
        assertThat(environment.dropped()).containsExactly("MUSTER_HOME", "PWD");
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
        Environment environment = Environment.behindStartScript(
                        Map.of("MUSTER_HOME", "/m", "PWD", "/lib", "A", "a", "B", "b"),
                        Map.of("PWD", "/here", "OLDPWD", "/old", "A", "a", "B", "b"))
                .changed(Map.of("A", "new", "OLDPWD", "x", "MUSTER_HOME", "mine"), Set.of("B", "PWD"));

        assertThat(environment.variables())
                .isEqualTo(new TreeMap<>(Map.of("A", "new", "OLDPWD", "x", "MUSTER_HOME", "mine")));
        assertThat(environment.restored()).isEqualTo(environment.variables());
        assertThat(environment.dropped()).containsExactly("B", "PWD");
    }
}
