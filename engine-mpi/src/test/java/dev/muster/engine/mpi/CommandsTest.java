package dev.muster.engine.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.LaunchPlan;
import dev.muster.spi.PlanException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The options and variables that each kind of mpirun gets. */
class CommandsTest {

    private static final String INTEL = "Intel(R) MPI Library for Linux* OS, Version 2021.9 Build 20230307\n";
    private static final String MPICH = "HYDRA build details:\n    Version: 4.0.2\n";

    @Test
    void mpirunTellsWhoseItIs() {
        assertThat(Mpi.of("mpirun (Open MPI) 4.1.6\n")).isEqualTo(new Mpi(Mpi.Kind.OPEN_MPI_4, false));
        assertThat(Mpi.of("mpirun (Open MPI) 5.0.3\n")).isEqualTo(new Mpi(Mpi.Kind.OPEN_MPI_5, false));
        assertThat(Mpi.of("mpirun.real (Open MPI) 10.0.0a1\n")).isEqualTo(new Mpi(Mpi.Kind.OPEN_MPI_5, false));
        assertThat(Mpi.of(INTEL)).isEqualTo(new Mpi(Mpi.Kind.INTEL, false));
        assertThat(Mpi.of(MPICH)).isEqualTo(new Mpi(Mpi.Kind.MPICH, false));
    }

    @Test
    void anMpirunThatDoesNotTellIsTakenForOpenMpiWithAWarning() {
        LaunchPlan plan = new TestJob().mpi("").plan();

        assertThat(Plans.notes(plan))
                .anyMatch(note -> note.contains("mpirun --version") && note.contains("Open MPI 4"));
        assertThat(Plans.mpirun(plan)).contains("-bind-to");
    }

    @Test
    void intelMpiGetsHydrasOptions() {
        LaunchPlan plan = job().mpi(INTEL).plan();

        assertThat(words(plan))
                .isEqualTo("mpirun|-n|4|-f|<private>/hostfile|-ppn|2|-bootstrap|ssh|-bootstrap-exec-args|-p 36666 -F"
                        + " <ssh_config>"
                        + "|-envlist|HOROVOD_MPI_THREADS_DISABLE,NCCL_DEBUG,NCCL_SOCKET_FAMILY,NCCL_SOCKET_IFNAME,USER|python3|a"
                        + " b.py");
        assertThat(Plans.command(plan, "mpirun")).containsSubsequence("<hosts>", "hydra");
        assertThat(set(plan))
                .containsEntry("NCCL_DEBUG", "INFO")
                .doesNotContainKeys("HYDRA_LAUNCHER_EXTRA_ARGS", "HYDRA_LAUNCH_EXTRA_ARGS");
    }

    @Test
    void optionsOfTheUserReachMpirunAndReplaceMustersDefaults() {
        assertThat(words(job().option("mpirun-args", "--map-by 'socket' --mca pml ucx --report-bindings")
                        .plan()))
                .contains("|-bind-to|none|", "|--map-by|socket|--mca|pml|ucx|--report-bindings|")
                .doesNotContain("|slot|", "|ob1|");
        assertThat(words(job().option("mpirun-args", "-bind-to core").plan()))
                .contains("|-map-by|slot|", "|-bind-to|core|")
                .doesNotContain("|none|");
        assertThat(words(job().variable("OMPI_MCA_pml", "ucx")
                        .variable("OMPI_MCA_hwloc_base_binding_policy", "core")
                        .plan()))
                .contains("|-map-by|slot|")
                .doesNotContain("|ob1|", "|-bind-to|");
        assertThat(words(job().mpi(INTEL)
                        .option("mpirun-args", "-print-rank-map")
                        .plan()))
                .contains("|-print-rank-map|");
        assertThat(words(job().option("launcher", "horovodrun")
                        .option("mpirun-args", "--bind-to core")
                        .plan()))
                .contains("|--mpi-args=--bind-to core|");
    }

    @ParameterizedTest
    @CsvSource({
        "--np 4, --slots",
        "-n 4, --slots",
        "--report-bindings -hostfile /h, --hostfile",
        "--host=a, --hosts",
        "--mca plm_rsh_agent x, ssh-key",
        "-mca btl_tcp_if_include eth0, MY_MPI_BTL_TCP_IF",
        "--mca btl_tcp_if_exclude lo, MY_MPI_BTL_TCP_IF",
        "-wdir /x, --workdir",
        "-ppn 2, --slots",
        "python train.py, --",
        "-x A : -x B, --"
    })
    void whatMusterDecidesIsRefusedWithWhatToGiveInstead(String arguments, String instead) {
        job().option("mpirun-args", arguments).assertRefused(PlanException.Kind.USAGE, "mpirun-args", instead);
    }

    /** The allocation may have other hosts than the hostfile, and a second step for the daemons waits until ours ends. */
    @Test
    void noMpirunAsksAResourceManager() {
        for (String mpi : List.of("mpirun (Open MPI) 4.1.6\n", "mpirun (Open MPI) 5.0.3\n", INTEL, MPICH)) {
            assertThat(set(job().mpi(mpi).managedBy("slurm").plan()))
                    .containsEntry("OMPI_MCA_plm", "^slurm")
                    .containsEntry("OMPI_MCA_ras", "^slurm")
                    .containsEntry("PRTE_MCA_plm", "^slurm")
                    .containsEntry("PRTE_MCA_ras", "^slurm")
                    .containsEntry("I_MPI_JOB_RESPECT_PROCESS_PLACEMENT", "0");
            assertThat(set(job().mpi(mpi).plan())).doesNotContainKeys("OMPI_MCA_plm", "PRTE_MCA_ras");
        }
    }

    @Test
    void manyHostsAreCalledAtTheSameTime() {
        String[] hosts = new String[200];
        for (int i = 0; i < hosts.length; i++) {
            hosts[i] = "h" + i;
        }
        LaunchPlan plan = new TestJob().index(0).nodes(200).hosts(hosts).plan();

        assertThat(words(plan)).contains("|-mca|plm_rsh_num_concurrent|200|");
    }

    /** The machine may have two MPIs, or a scheduler may start Muster under an mpirun. */
    @Test
    void variablesOfAnotherMpiAroundAreNotPassedOn() {
        LaunchPlan plan = job().variable("OMPI_COMM_WORLD_RANK", "3")
                .variable("PMI_RANK", "3")
                .variable("PMIX_NAMESPACE", "n")
                .plan();

        assertThat(Plans.after(plan, "-x")).doesNotContain("OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_NAMESPACE");
        assertThat(Plans.process(plan, "mpirun").launch().environment().remove())
                .containsExactly("OMPI_COMM_WORLD_RANK", "PMIX_NAMESPACE", "PMI_RANK");
    }

    private static TestJob inCondaEnvironment() {
        return job().activated("PATH", "/env/bin:/bin")
                .activated("CONDA_PREFIX", "/env")
                .activated("LD_LIBRARY_PATH", "/env/lib")
                .activated("BASH_FUNC_f%%", "() { :; }");
    }

    /** Each launcher activates its own environment. mpirun passes on only variables that no shell can keep. */
    @Test
    void whatWasActivatedStaysEachNodesOwn() {
        assertThat(Plans.after(inCondaEnvironment().plan(), "-x"))
                .contains("USER", "MUSTER_OWN_0")
                .doesNotContain("PATH", "CONDA_PREFIX", "LD_LIBRARY_PATH");
        for (int node = 0; node < 2; node++) {
            assertThat(Plans.command(inCondaEnvironment().index(node).plan(), "ssh-keys"))
                    .contains("PATH", "CONDA_PREFIX", "LD_LIBRARY_PATH")
                    .doesNotContain("BASH_FUNC_f%%");
        }
    }

    @Test
    void namesThatNoShellTakesReachRanksWithTheirValues() {
        LaunchPlan plan = job().variable("a.b", "1=2")
                .variable("e*f,g", "3")
                .variable("-k", "")
                .plan();
        assertThat(Plans.after(plan, "-x"))
                .filteredOn(name -> name.startsWith("MUSTER_OWN_"))
                .hasSize(3);
        assertThat(set(plan).values()).contains("a.b=1=2", "e*f,g=3", "-k=");
        assertThat(Plans.notes(plan)).noneMatch(note -> note.contains("cannot pass"));
    }

    @Test
    void whatWasActivatedIsToldWhereNoLauncherIs() {
        LaunchPlan plan = inCondaEnvironment()
                .option("sshd", "none")
                .option("hostfile", "/h")
                .file("/h", "x slots=1\ny slots=1\n")
                .plan();
        assertThat(Plans.notes(plan)).anyMatch(note -> note.contains("cannot pass") && note.contains("BASH_FUNC_f%%"));
        assertThat(Plans.after(plan, "-x"))
                .contains("PATH", "CONDA_PREFIX", "LD_LIBRARY_PATH")
                .doesNotContain("BASH_FUNC_f%%")
                .doesNotHaveDuplicates();
    }

    private static TestJob job() {
        return new TestJob()
                .index(0)
                .nodes(2)
                .hosts("a", "b")
                .option("slots", "2")
                .variable("USER", "u");
    }

    private static String words(LaunchPlan plan) {
        return String.join("|", Plans.mpirun(plan));
    }

    private static Map<String, String> set(LaunchPlan plan) {
        Map<String, String> texts = new TreeMap<>();
        Plans.process(plan, "mpirun")
                .launch()
                .environment()
                .set()
                .forEach((name, value) -> texts.put(name, Plans.text(value)));
        return texts;
    }
}
