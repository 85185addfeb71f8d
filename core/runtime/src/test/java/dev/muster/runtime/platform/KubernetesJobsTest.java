package dev.muster.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What recorded pods of Kubeflow and of Kubernetes itself tell: the number of nodes, which one this is, and its role. */
class KubernetesJobsTest {

    private static final List<String> COUNTED = List.of("pytorchjob", "trainer", "jaxjob");
    private static final List<String> COUNTED_BY_THE_USER = List.of("indexed-job", "jobset");

    @TempDir
    private Path root;

    @ParameterizedTest
    @MethodSource("counted")
    void podsThatAreToldAllFollowIt(Recorded recorded) {
        Site site = recorded.site(root, KubernetesPods.TORCH, Platforms.ALL);

        assertPlace(recorded, site);
        assertThat(site.node().count()).hasValue(recorded.nodes());
        assertThat(site.unheard()).isEmpty();
        assertThat(KubernetesPods.names(site)).hasSize(recorded.nodes());
        assertThat(NumberedName.label(KubernetesPods.names(site).get(recorded.index())))
                .isEqualTo(recorded.hostName());
    }

    @ParameterizedTest
    @MethodSource("elastic")
    void podsOfAnElasticJobAreToldOnlyWhereTheyFindOut(Recorded recorded) {
        Site site = recorded.site(root, KubernetesPods.TORCH, Platforms.ALL);

        assertPlace(recorded, site);
        assertThat(site.node().count()).isEmpty();
        assertThat(KubernetesPods.option(site, "processes")).isEqualTo("torchrun (PET_RDZV_ENDPOINT)");
        assertThat(KubernetesPods.option(site, "master-addr")).isEqualTo("(not given)");
    }

    @ParameterizedTest
    @MethodSource("countedByTheUser")
    void podsThatAreToldTheirIndexOnlyNeedTheNumber(Recorded recorded) {
        assertRefused(recorded, "JOB_COMPLETION_INDEX tells which pod", "--nodes N");

        Site site =
                recorded.site(root, KubernetesPods.PLAIN, Platforms.ALL, "nodes", Integer.toString(recorded.nodes()));

        assertPlace(recorded, site);
        assertThat(site.unheard()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("ofMpi")
    void onlyTheLauncherOfAnMpiJobBootsIt(Recorded recorded) {
        if (!recorded.role().equals("launcher")) {
            assertRefused(recorded, "this is a worker of a", "launcher");
            return;
        }
        Site site = recorded.site(root, KubernetesPods.THAT_LOGS_IN, Platforms.ALL);

        assertPlace(recorded, site);
        assertThat(site.node().count()).hasValue(recorded.nodes());
        assertThat(site.unheard()).isEmpty();
        assertThat(KubernetesPods.names(site)).hasSize(recorded.nodes());
        assertThat(KubernetesPods.option(site, "sshd")).startsWith("none (");
        assertThatThrownBy(() -> recorded.site(root, KubernetesPods.PLAIN, Platforms.ALL))
                .hasMessageContaining("starts its command in the launcher alone, and engine plain boots");
    }

    private static void assertPlace(Recorded recorded, Site site) {
        assertThat(site.platform().name()).isEqualTo(recorded.platform());
        assertThat(site.node().index()).hasValue(recorded.index());
        assertThat(site.node().role()).isEqualTo(Optional.of(recorded.role()).filter(role -> !role.isEmpty()));
        assertThat(recorded.hostName()).startsWith(site.jobId() + "-");
    }

    private void assertRefused(Recorded recorded, String... words) {
        assertThatThrownBy(() -> recorded.site(root, KubernetesPods.THAT_LOGS_IN, Platforms.ALL))
                .isInstanceOf(MusterException.class)
                .hasMessageContainingAll(words)
                .extracting(refused -> ((MusterException) refused).exitCode())
                .isEqualTo(ExitCode.CONFIGURATION);
    }

    static Stream<Recorded> counted() {
        return of(COUNTED).filter(recorded -> !isElastic(recorded) && !isOfMpi(recorded));
    }

    static Stream<Recorded> elastic() {
        return of(COUNTED).filter(KubernetesJobsTest::isElastic);
    }

    static Stream<Recorded> countedByTheUser() {
        return of(COUNTED_BY_THE_USER);
    }

    static Stream<Recorded> ofMpi() {
        return of(List.of("mpijob", "trainer")).filter(KubernetesJobsTest::isOfMpi);
    }

    private static boolean isElastic(Recorded recorded) {
        return recorded.name().startsWith("pytorchjob-elastic");
    }

    private static boolean isOfMpi(Recorded recorded) {
        return recorded.platform().equals("mpijob") || recorded.name().startsWith("trainer-mpi");
    }

    private static Stream<Recorded> of(List<String> platforms) {
        return Recorded.all().filter(recorded -> platforms.contains(recorded.platform()));
    }
}
