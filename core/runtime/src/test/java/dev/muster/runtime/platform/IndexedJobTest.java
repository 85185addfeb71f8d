package dev.muster.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.runtime.errors.MusterException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pods of Indexed Jobs, alone or in a JobSet. */
class IndexedJobTest {

    @TempDir
    private Path root;

    private KubernetesPods like(String name) {
        return KubernetesPods.like(root, name).with(KubernetesPods.PLAIN);
    }

    /** As the kubelet writes it. */
    private static String hostsFile(String names) {
        return "# Kubernetes-managed hosts file.\n127.0.0.1\tlocalhost\nfe00::0\tip6-localnet\n10.0.0.9\t" + names
                + "\n";
    }

    @Test
    void hostsAreNumberedInTheDomainOfThePod() {
        Site site = like("indexed-job-1")
                .file("/etc/hosts", hostsFile("idx-1.train.default.svc.cluster.local\tidx-1"))
                .site("nodes", "3");

        assertThat(site.platform().name()).isEqualTo("indexed-job");
        assertThat(site.node().index()).hasValue(1);
        assertThat(site.jobId()).isEqualTo("idx");
        assertThat(KubernetesPods.names(site)).containsExactly("idx-0.train", "idx-1.train", "idx-2.train");
        assertThat(KubernetesPods.names(like("indexed-job-1")
                        .file("/etc/hosts", hostsFile("idx-1.train.default.svc.cluster.local\tidx-1"))
                        .with(KubernetesPods.THAT_LOGS_IN)
                        .site("nodes", "2")))
                .containsExactly("idx-0.train", "idx-1.train");
    }

    @Test
    void withoutAServiceNoHostHasAName() {
        assertThat(KubernetesPods.names(like("indexed-job-no-service-1")
                        .file("/etc/hosts", hostsFile("idx-bare-1"))
                        .site("nodes", "2")))
                .isEmpty();
        assertThat(KubernetesPods.names(like("indexed-job-1")
                        .called("box")
                        .file("/etc/hosts", hostsFile("box.train.ns.svc\tbox"))
                        .site("nodes", "3")))
                .isEmpty();
    }

    @Test
    void aPodMayBeCalledByItsWholeName() {
        assertThat(KubernetesPods.names(
                        like("indexed-job-1").called("idx-1.train.ns.svc").site("nodes", "2")))
                .containsExactly("idx-0.train", "idx-1.train");
    }

    @Test
    void podsOfAJobSetHaveItsNameAsTheirDomain() {
        Site site = like("jobset-1")
                .file("/etc/hosts", hostsFile("set-workers-0-1.set.ns.svc.cluster.local set-workers-0-1"))
                .site("nodes", "2");

        assertThat(site.platform().name()).isEqualTo("jobset");
        assertThat(site.jobId()).isEqualTo("set-workers");
        assertThat(site.node().role()).hasValue("workers");
        assertThat(KubernetesPods.names(site)).containsExactly("set-workers-0-0.set", "set-workers-0-1.set");
    }

    @Test
    void anIndexWithinAnotherJobOfASetIsNone() {
        KubernetesPods pod = like("jobset-1")
                .called("set-workers-1-1")
                .file("/etc/hosts", hostsFile("set-workers-1-1.set.ns.svc.cluster.local set-workers-1-1"));

        assertThatThrownBy(() -> pod.site("nodes", "4"))
                .isInstanceOf(MusterException.class)
                .hasMessageContainingAll("Job 1 of set-workers", "--node-index I", "--platform indexed-job");
        assertThat(pod.site("nodes", "4", "node-index", "3").node().index()).hasValue(3);
        assertThat(pod.site("nodes", "4", "platform", "indexed-job").node().index())
                .hasValue(1);
    }

    @Test
    void aJobWhoseNameEndsInNumbersIsNoJobSet() {
        for (String domain : new String[] {"", ".other.ns.svc"}) {
            Site site = like("indexed-job-1")
                    .called("train-run-3-1")
                    .file("/etc/hosts", hostsFile("train-run-3-1" + domain + " train-run-3-1"))
                    .site("nodes", "2");
            assertThat(site.platform().name()).isEqualTo("indexed-job");
            assertThat(site.jobId()).isEqualTo("train-run-3");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "x", "-1", "$(id)", "5000", "1\n"})
    void anIndexThatIsNoneIsRefused(String index) {
        assertThatThrownBy(() ->
                        like("indexed-job-1").set("JOB_COMPLETION_INDEX", index).site("nodes", "3"))
                .isInstanceOf(MusterException.class)
                .hasMessageStartingWith("JOB_COMPLETION_INDEX=\"")
                .message()
                .doesNotContain("\n");
    }

    @Test
    void anIndexBeyondTheNumberIsRefused() {
        assertThatThrownBy(() -> like("indexed-job-2").site("nodes", "2"))
                .hasMessageContaining("JOB_COMPLETION_INDEX=2, but --nodes=2");
    }
}
