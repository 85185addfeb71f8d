package dev.muster.runtime.platform;

import dev.muster.runtime.config.WholeNumber;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** What other launchers, schedulers and clouds leave, a line each: another one needs no more than a line. */
final class ForeignSigns {

    private static final String MPI = "mpirun";
    private static final String SKYPILOT = "SkyPilot";
    private static final String AZURE = "Azure Machine Learning";
    private static final String TONY = "TonY";
    private static final String LWS = "LeaderWorkerSet";
    private static final String LSF = "LSF";
    private static final String GRID_ENGINE = "Grid Engine";

    static final List<Row> TABLE = List.of(
            new Row("OMPI_COMM_WORLD_SIZE", Kind.PROCESSES, MPI, "mpirun", "slurm"),
            new Row("PMI_SIZE", Kind.PROCESSES, MPI, "mpirun", "slurm"),
            new Row("MV2_COMM_WORLD_SIZE", Kind.PROCESSES, MPI, "mpirun", "slurm"),
            new Row("PMIX_RANK", Kind.PRESENCE, MPI, "mpirun", "slurm"),
            new Row("JSM_NAMESPACE_SIZE", Kind.PROCESSES, "jsrun"),
            new Row("PALS_RANKID", Kind.PRESENCE, MPI, "mpirun", "slurm"),
            new Row("ALPS_APP_PE", Kind.PRESENCE, "aprun"),
            new Row("SKYPILOT_NUM_NODES", Kind.NODES, SKYPILOT, "skypilot"),
            new Row("SKYPILOT_NODE_IPS", Kind.HOSTS, SKYPILOT, "skypilot"),
            new Row("SKYPILOT_NODE_RANK", Kind.INDEX, SKYPILOT, "skypilot"),
            new Row("LWS_GROUP_SIZE", Kind.NODES, LWS, "leaderworkerset"),
            new Row("LWS_WORKER_INDEX", Kind.INDEX, LWS, "leaderworkerset"),
            new Row("LWS_LEADER_ADDRESS", Kind.PRESENCE, LWS, "leaderworkerset"),
            new Row("SM_HOSTS", Kind.HOSTS, "SageMaker", "sagemaker"),
            new Row("SM_HOST_COUNT", Kind.NODES, "SageMaker", "sagemaker"),
            new Row(ClusterReader.SAGEMAKER_FILE, Kind.HOSTS, "SageMaker", "sagemaker"),
            new Row("AZUREML_NODE_COUNT", Kind.NODES, AZURE),
            new Row("AZ_BATCH_HOST_LIST", Kind.HOSTS, AZURE),
            new Row("AZ_BATCH_NODE_LIST", Kind.HOSTS, AZURE),
            new Row("AZ_BATCH_MASTER_NODE", Kind.PRESENCE, AZURE),
            new Row("AZ_BATCHAI_TASK_INDEX", Kind.INDEX, AZURE),
            new Row("CLUSTER_SPEC", Kind.HOSTS, TONY + " or Vertex AI"),
            new Row("TASK_NUM", Kind.PROCESSES, TONY).with("TASK_INDEX", "JOB_NAME"),
            new Row("WORLD", Kind.PROCESSES, TONY).with("RANK", "INIT_METHOD"),
            new Row("NNODES", Kind.NODES, "torchrun"),
            new Row("NODE_RANK", Kind.INDEX, "torchrun"),
            new Row("PBS_NODEFILE", Kind.HOSTS, "PBS", "pbs"),
            new Row("PBS_NUM_NODES", Kind.NODES, "PBS", "pbs"),
            new Row("PBS_NODENUM", Kind.INDEX, "PBS", "pbs"),
            new Row("COBALT_NODEFILE", Kind.HOSTS, "Cobalt"),
            new Row("LSB_DJOB_HOSTFILE", Kind.HOSTS, LSF, "lsf"),
            new Row("LSB_MCPU_HOSTS", Kind.HOSTS, LSF, "lsf"),
            new Row("LSB_HOSTS", Kind.HOSTS, LSF, "lsf"),
            new Row("NHOSTS", Kind.NODES, GRID_ENGINE, "grid-engine"),
            new Row("PE_HOSTFILE", Kind.HOSTS, GRID_ENGINE, "grid-engine"),
            new Row("AWS_BATCH_JOB_NUM_NODES", Kind.NODES, "AWS Batch"),
            new Row("AWS_BATCH_JOB_NODE_INDEX", Kind.INDEX, "AWS Batch"),
            new Row("FLUX_JOB_NNODES", Kind.NODES, "Flux"),
            new Row("_CONDOR_NPROCS", Kind.PROCESSES, "HTCondor"),
            new Row("MLP_WORKER_NUM", Kind.NODES, "Volcengine"),
            new Row("PADDLE_TRAINERS_NUM", Kind.PROCESSES, "PaddlePaddle"),
            new Row("DMLC_NUM_WORKER", Kind.PROCESSES, "DMLC"));

    private ForeignSigns() {}

    /** How a sign counts. */
    enum Kind {
        NODES,
        PROCESSES,
        /** Whoever is not the first is not the only one. */
        INDEX,
        /** There are nodes, and it says how many: a list of hosts, in a variable or in a file. */
        HOSTS,
        /** There may be others, where no count of the same kind of cluster says how many. */
        PRESENCE
    }

    /**
     * One sign.
     *
     * @param source a variable, or the path of a file
     * @param called whose it is, for people; empty: a platform of ours, whose numbers must be some
     * @param platforms whose readers hear it
     * @param companions without which a common name means nothing
     */
    record Row(String source, Kind kind, String called, Set<String> platforms, List<String> companions) {

        Row(String source, Kind kind, String called, String... platforms) {
            this(source, kind, called, Set.of(platforms), List.of());
        }

        Row with(String... others) {
            return new Row(source, kind, called, platforms, List.of(others));
        }

        /** Launchers of ours give such variables to their own ranks, who may start launchers in turn. */
        boolean isGivenToRanks() {
            return called.equals(MPI);
        }

        /** What it says of others here. */
        Optional<Claim> claim(EvidenceReader evidence) {
            int number = number(evidence);
            String text = source
                    + (kind == Kind.HOSTS || kind == Kind.PRESENCE ? "" : "=" + number)
                    + (called.isEmpty() ? "" : " (" + called + ")");
            boolean isMeant = companions.stream().allMatch(evidence::isSet);
            return Optional.of(
                            switch (kind) {
                                case NODES, HOSTS -> Claim.ofNodes(text, number);
                                case PROCESSES -> Claim.ofOthers(text + " says that others belong to this job");
                                case INDEX -> Claim.ofIndex(text, number);
                                case PRESENCE -> Claim.ofPresence(text);
                            })
                    .filter(claim -> isMeant && number > (kind == Kind.INDEX ? 0 : 1));
        }

        /** How many it counts; 0: nothing. Where torchrun may have fewer, the most. */
        private int number(EvidenceReader evidence) {
            return switch (kind) {
                case HOSTS -> HostNames.in(evidence, source).size();
                case PRESENCE -> evidence.isSet(source) && !isCounted(evidence) ? 2 : 0;
                default -> {
                    if (called.isEmpty()) {
                        yield evidence.integer(source, 0, Signs.MOST).orElse(0);
                    }
                    String value = evidence.value(source).orElse("");
                    yield WholeNumber.parse(value.substring(value.indexOf(':') + 1), 0, Signs.MOST)
                            .orElse(0);
                }
            };
        }

        private boolean isCounted(EvidenceReader evidence) {
            return TABLE.stream()
                    .filter(row -> row.called.equals(called) && row.kind != Kind.PRESENCE && row.kind != Kind.INDEX)
                    .anyMatch(row -> evidence.isSet(row.source));
        }
    }

    /** Whether a row's variable is this one. */
    static boolean isRead(String variable) {
        return TABLE.stream().anyMatch(row -> row.source().equals(variable));
    }

    /** What nobody who knows the nodes has heard. */
    static List<Claim> unheard(EvidenceReader evidence, String platform, OptionalInt nodes) {
        List<Claim> claims = new ArrayList<>();
        for (Row row : TABLE) {
            boolean isHeard = row.platforms().contains(platform) && nodes.isPresent();
            if (!isHeard && !(row.isGivenToRanks() && evidence.isOfMuster())) {
                row.claim(evidence).ifPresent(claims::add);
            }
        }
        return claims;
    }
}
