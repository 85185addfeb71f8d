package dev.muster.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What platforms mean for the link between launchers. */
class LinkTermsTest {

    @Test
    void launchersStayWhereAJobWhosePodsAllFailAtOnceIsNotStartedAgain() {
        Site site = TestSites.read(Map.of("XDL_IP", "10.0.0.1"), "job-id", "exp-7");

        assertThat(site.platform().name()).isEqualTo("mindx-dl");
        assertThat(site.link().staysFor()).contains(Duration.ofSeconds(30));
    }

    @Test
    void elsewhereTheyGoAndShareNothingThatIsKnown() {
        Site site = TestSites.read(Map.of(), "hosts", "a,b", "node-index", "1", "job-id", "exp-7");

        assertThat(site.link().staysFor()).isEmpty();
        assertThat(site.link().key()).isEmpty();
    }
}
