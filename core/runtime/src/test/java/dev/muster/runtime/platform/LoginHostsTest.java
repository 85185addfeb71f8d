package dev.muster.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.spi.Host;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The names under which the nodes of ModelArts log in to each other. */
class LoginHostsTest {

    private final Map<String, String> variables = new HashMap<>(
            Map.of("MA_VJ_NAME", "vj", "MA_NUM_HOSTS", "2", "VC_TASK_INDEX", "1", "VC_WORKER_HOSTS", "a,b"));

    @Test
    void areMadeOfJobTaskAndIndexWhateverVolcanosListSays() {
        assertThat(TestSites.thatLogsIn(variables).node().hosts())
                .extracting(Host::name)
                .containsExactly("vj-worker-0.vj", "vj-worker-1.vj");
        variables.put("MA_TASK_NAME", "trainer");
        assertThat(TestSites.thatLogsIn(variables).node().hosts())
                .extracting(Host::name)
                .containsExactly("vj-trainer-0.vj", "vj-trainer-1.vj");
    }

    @Test
    void areVolcanosForEnginesThatDoNotLogIn() {
        assertThat(TestSites.read(variables).node().hosts())
                .extracting(Host::name)
                .containsExactly("a", "b");
    }

    @Test
    void areThoseThatTheUserNames() {
        assertThat(TestSites.thatLogsIn(variables, "hosts", "x,y").node().hosts())
                .extracting(Host::name)
                .containsExactly("x", "y");
    }

    /** Names were formats of printf and words of eval in ModelArts' own script. */
    @ParameterizedTest
    @ValueSource(strings = {"a_b", "a-", "a.b", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"})
    void neverHoldWhatIsNoLabel(String name) {
        variables.put("MA_VJ_NAME", name);
        assertThatThrownBy(() -> TestSites.thatLogsIn(variables))
                .hasMessageContainingAll("MA_VJ_NAME", name, "63 letters, digits and dashes");
    }

    @Test
    void areRefusedWithoutTheJobsName() {
        variables.remove("MA_VJ_NAME");
        variables.put("MA_JOB_DIR", "/job");
        assertThatThrownBy(() -> TestSites.thatLogsIn(variables, "job-id", "mine"))
                .hasMessageContainingAll("MA_VJ_NAME is not set", "2 hosts", "--hosts A,B");
    }
}
