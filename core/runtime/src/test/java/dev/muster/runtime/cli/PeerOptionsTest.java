package dev.muster.runtime.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options of other launch tools, such as torchrun, given to Muster. */
class PeerOptionsTest {

    private static final List<String> KNOWN =
            List.of("--cards", "--hosts", "--master-addr", "--master-port", "--slots");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--nproc_per_node | --cards N",
                "--nproc-per-node | --cards N",
                "-ppn | --cards N",
                "--ntasks-per-node | --cards N",
                "--num_gpus | --cards N",
                "--local_worker_num | --cards N",
                "-np | --slots N",
                "-n | --slots N",
                "--ntasks | --slots N",
                "--num_processes | --slots N",
                "--worker_num | --slots N",
                "--nnodes | --nodes N",
                "--num_nodes | --nodes N",
                "--num_machines | --nodes N",
                "-N | --nodes N",
                "--node_rank | --node-index I",
                "--machine_rank | --node-index I",
                "-H | --hosts A,B",
                "--hostfile | --hosts A,B",
                "--nodelist | --hosts A,B",
                "--include | --card-ids",
                "--gpu_ids | --card-ids",
                "--visible_devices | --card-ids",
                "--master_addr | --master-addr A",
                "--main_process_ip | --master-addr A",
                "--master_port | --master-port P",
                "--main_process_port | --master-port P",
                "--rdzv-endpoint | --master-addr A and --master-port P",
                "--rdzv_id | --job-id ID",
                "--job-name | --job-id ID",
                "--max_restarts | --restarts N",
                "--standalone | leave it out",
                "--rdzv_backend | leave it out",
                "--kill-on-bad-exit | leave it out",
                "-x | NAME=VALUE muster",
                "--mca | OMPI_MCA_NAME=VALUE",
                "--map-by | OMPI_MCA_",
                "--allow-run-as-root | leave it out",
                "--redirects | --log-dir DIR",
                "--output-filename | --log-dir DIR",
                "--tag-output | --prefix rank",
                "-wdir | --workdir DIR",
                "--chdir | --workdir DIR",
                "--start-timeout | --input-timeout D",
                "--cluster_time_out | --input-timeout D",
                "-m | python3 -m MODULE",
                "--cpus-per-task | OMP_NUM_THREADS=N",
                "--rank_table_file | --rank-table FILE",
                "--config_file | --config FILE",
                "--dry-run | muster plan",
                "--partition | srun",
            })
    void anOptionOfAPeerHasWhatMusterHasForIt(String option, String advice) {
        assertThat(PeerOptions.advice(option, KNOWN).orElseThrow()).contains(advice);
    }

    @Test
    void whatTheEngineDoesNotHaveIsNotAdvised() {
        assertThat(PeerOptions.advice("--master_addr", List.of()).orElseThrow()).startsWith("--hosts A,B");
        assertThat(PeerOptions.advice("-np", List.of()).orElseThrow()).startsWith("--cards N");
        assertThat(PeerOptions.advice("--graze", KNOWN)).isEmpty();
    }
}
