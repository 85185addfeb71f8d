package dev.muster.runtime.platform;

import java.util.List;

/**
 * Whether there is anything that {@link Signs} could speak of. On most machines there is not, and then neither the table nor its
 * readers are made: a launcher starts in milliseconds.
 */
final class SignVariables {

    private static final List<String> NAMES = List.of(
            "MA_*",
            MindXDl.ADDRESS,
            "VC_*",
            "VK_TASK_*",
            "PET_*",
            "WORLD_SIZE",
            "RANK",
            "MASTER_ADDR",
            TfCluster.VARIABLE,
            "MS_WORKER_NUM",
            "CM_WORKER_SIZE",
            "NUM_PROCESSES",
            "PROCESS_ID",
            "COORDINATOR_ADDRESS",
            "AWS_BATCH_*",
            "PBS_*",
            "FLUX_*",
            "PADDLE_TRAINERS_NUM",
            "DMLC_*",
            "MPI_HOST",
            "K_MPI_JOB_ROLE",
            "JOB_COMPLETION_INDEX",
            "SLURM_*",
            "DLWS_*",
            "RANK_TABLE_FILE*",
            "MINDSPORE_HCCL_CONFIG_PATH");

    /** Where platforms write the rank table of a job: ModelArts, and the first of MindX DL's two places. */
    static final List<String> TABLES = List.of("/user/config/jobstart_hccl.json", MindXDl.TABLE);

    private SignVariables() {}

    static boolean areRead(String variable) {
        return NamePattern.matches(NAMES, variable);
    }

    static boolean areThere(Evidence evidence) {
        for (String name : NAMES) {
            if (NamePattern.isAmong(name, evidence.environment().variables())) {
                return true;
            }
        }
        return evidence.files().isFile(TABLES.get(0))
                || evidence.files().isFile(TABLES.get(1))
                || evidence.files().isDirectory(MindXDl.OPERATOR_TABLES);
    }
}
