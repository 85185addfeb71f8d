package dev.muster.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.runtime.errors.MusterException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pods of MPIJobs, and of TrainJobs with a runtime for MPI. */
class MpiJobTest {

    @TempDir
    private Path root;

    private KubernetesPods like(String name) {
        return KubernetesPods.like(root, name).with(KubernetesPods.THAT_LOGS_IN);
    }

    @ParameterizedTest
    @CsvSource({
        "mpijob-launcher-0, OMPI_MCA_orte_default_hostfile, mpi-worker-0.mpi.training.svc",
        "mpijob-intel-launcher-0, I_MPI_HYDRA_HOST_FILE, mpi-intel-worker-0.mpi-intel.training.svc",
        "mpijob-mpich-launcher-0, HYDRA_HOST_FILE, mpi-mpich-worker-0.mpi-mpich.training.svc",
        "mpijob-launcher-worker-launcher-0, OMPI_MCA_orte_default_hostfile, mpi-lw-launcher.mpi-lw.training.svc"
    })
    void theHostfileTellsWhatThereIs(String pod, String variable, String first) {
        Site site = like(pod).site();

        assertThat(KubernetesPods.names(site).get(0)).isEqualTo(first);
        assertThat(KubernetesPods.option(site, "nodes")).endsWith("(" + variable + ")");
        assertThat(KubernetesPods.option(site, "sshd")).isEqualTo("none (K_MPI_JOB_ROLE)");
    }

    @Test
    void oneWorkerIsAJobToo() {
        Site site = like("mpijob-launcher-0")
                .file("/etc/mpi/hostfile", "mpi-worker-0.mpi.training.svc slots=8\n")
                .site();

        assertThat(site.node().count()).hasValue(1);
        assertThat(site.unheard()).isEmpty();
    }

    @Test
    void aHostfileThatIsNotThereOrWrongIsTheEnginesToRefuse() {
        for (String text : new String[] {"", "# nothing\n", "a slots=2\n$(id) slots=2\n"}) {
            assertThat(like("mpijob-launcher-0")
                            .file("/etc/mpi/hostfile", text)
                            .site()
                            .node()
                            .count())
                    .isEmpty();
        }
    }

    @Test
    void theFirstOperatorHasNoRole() {
        Site site = like("mpijob-launcher-0").unset("K_MPI_JOB_ROLE").site();

        assertThat(site.platform().name()).isEqualTo("mpijob");
        assertThat(site.node().role()).hasValue("launcher");
        assertThat(like("mpijob-launcher-0")
                        .unset("K_MPI_JOB_ROLE", "KUBERNETES_SERVICE_HOST")
                        .site()
                        .platform()
                        .name())
                .isEqualTo("none");
    }

    @Test
    void theUserMayMeanAWorkerOrOtherHosts() {
        assertThat(like("mpijob-worker-0").site("nodes", "1").node().index()).hasValue(0);
        assertThat(like("mpijob-worker-0").site("platform", "none").platform().name())
                .isEqualTo("none");
        assertThat(KubernetesPods.names(like("mpijob-launcher-0").site("hosts", "a,b,c")))
                .containsExactly("a", "b", "c");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "Launcher", "$(id)", "worker\n"})
    void aRoleThatIsNoneIsRefused(String role) {
        assertThatThrownBy(() ->
                        like("mpijob-launcher-0").set("K_MPI_JOB_ROLE", role).site())
                .isInstanceOf(MusterException.class)
                .hasMessageStartingWith("K_MPI_JOB_ROLE: \"")
                .hasMessageContaining("is neither launcher nor worker")
                .message()
                .doesNotContain("\n");
    }

    @Test
    void aTrainJobForMpiIsRecognisedByWhatItsPodsHave() {
        assertThat(like("trainer-mpi-launcher-0").site().platform().why())
                .isEqualTo("set: JOB_COMPLETION_INDEX, with OMPI_MCA_orte_default_hostfile");
        assertThat(like("trainer-mpi-launcher-0").site().jobId()).isEqualTo("mlx");
        assertThatThrownBy(() -> like("trainer-mpi-node-0").site())
                .hasMessageStartingWith("this is a worker of a TrainJob for MPI (JOB_COMPLETION_INDEX)");
    }
}
