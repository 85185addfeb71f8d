package dev.muster.runtime.platform;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Settings;
import dev.muster.runtime.config.WholeNumber;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;

/**
 * What says that a job has more nodes than the one that a launcher sees. The table knows nothing of the platforms' readers: it
 * holds when one of them is missing, is wrong, or has never been thought of. The worst that a launcher can do is to take the part
 * for the whole, train alone on every node and call it a success.
 */
final class Signs {

    static final int MOST = 1_000_000_000;
    private static final String SLURM = "slurm";
    private static final Set<String> VOLCANO = Set.of("volcano", "modelarts", "mindx-dl");
    private static final Set<String> TORCH = Set.of("pytorchjob", "trainer", "volcano", "mindx-dl", "acjob");

    private static final List<Sign> TABLE = List.of(
            number("SLURM_STEP_NUM_NODES", "nodes", SLURM),
            number("SLURM_NNODES", "nodes", SLURM),
            number("SLURM_JOB_NUM_NODES", "nodes", SLURM),
            processes("SLURM_NTASKS", SLURM),
            processes("SLURM_HET_SIZE", SLURM),
            index("SLURM_NODEID", SLURM),
            index("SLURM_PROCID", SLURM),
            number("MA_NUM_HOSTS", "nodes", "modelarts"),
            index("MA_TASK_INDEX", "modelarts"),
            new Sign(TORCH, SignReaders::petNodes),
            index("PET_NODE_RANK", TORCH),
            new Sign(TORCH, SignReaders::rendezvous),
            new Sign(VOLCANO, SignReaders::volcanoCounts),
            new Sign(VOLCANO, SignReaders::volcanoHosts),
            index("VC_TASK_INDEX", VOLCANO),
            index("VK_TASK_INDEX", VOLCANO),
            new Sign(VOLCANO, SignReaders::volcanoIndexAlone),
            new Sign(Set.of("volcano"), evidence -> SignReaders.anyValue(evidence, "MPI_HOST")),
            new Sign(Set.of("tfjob", "volcano"), SignReaders::tfConfig).unlessGivenToARank(),
            new Sign(Set.of("mpijob"), evidence -> SignReaders.anyValue(evidence, "K_MPI_JOB_ROLE")),
            number("DLWS_NUM_WORKER", "workers", "apulis"),
            number("DLWS_WORKER_NUM", "workers", "apulis"),
            new Sign(
                    Set.of("indexed-job", "jobset", "trainer"),
                    evidence -> SignReaders.anyValue(evidence, "JOB_COMPLETION_INDEX")),
            new Sign(TORCH, SignReaders::worldSize).unlessGivenToARank(),
            processes("MS_WORKER_NUM", "acjob").unlessGivenToARank(),
            processes("CM_WORKER_SIZE", "acjob"),
            processes("NUM_PROCESSES", "jaxjob"),
            index("PROCESS_ID", "jaxjob"),
            number("AWS_BATCH_JOB_NUM_NODES", "nodes"),
            number("PBS_NUM_NODES", "nodes"),
            number("FLUX_JOB_NNODES", "nodes"),
            processes("PADDLE_TRAINERS_NUM"),
            processes("DMLC_NUM_WORKER"),
            new Sign(Set.of("modelarts", "mindx-dl", "apulis"), SignReaders::rankTables).unlessGivenToARank());

    private Signs() {}

    /**
     * What says that the job has several nodes, and was followed by nobody.
     *
     * @param platform the name of the platform that we are on: what it tells about the number of nodes is heard
     * @param node what is known after that
     */
    static List<Claim> unheard(Evidence evidence, Settings settings, String platform, Node node) {
        boolean isChosen = settings.given(OptionTable.NODES).isPresent()
                || settings.given(OptionTable.HOSTS).isPresent()
                || settings.given(OptionTable.PLATFORM)
                        .filter(named -> !named.value().equals(PlatformDetector.AUTOMATIC))
                        .isPresent();
        List<Claim> claims = new ArrayList<>();
        boolean isRank = evidence.isOfARank();
        for (Sign sign : isChosen ? List.<Sign>of() : TABLE) {
            boolean isHeard =
                    sign.platforms().contains(platform) && node.count().isPresent();
            if (!isHeard && !(isRank && sign.isGivenToRanks())) {
                sign.claim().apply(evidence).ifPresent(claims::add);
            }
        }
        return claims;
    }

    /**
     * One sign.
     *
     * @param platforms whose readers hear it
     * @param isGivenToRanks whether launchers such as this one give it to their ranks, who may start launchers in turn
     */
    private record Sign(Set<String> platforms, Function<Evidence, Optional<Claim>> claim, boolean isGivenToRanks) {

        Sign(Set<String> platforms, Function<Evidence, Optional<Claim>> claim) {
            this(platforms, claim, false);
        }

        Sign unlessGivenToARank() {
            return new Sign(platforms, claim, true);
        }
    }

    /** A number of nodes. */
    private static Sign number(String variable, String things, String... platforms) {
        return new Sign(
                Set.of(platforms),
                evidence -> SignReaders.count(evidence, variable)
                        .map(count -> new Claim(
                                variable + "=" + count + " says that the job has " + count + " " + things,
                                OptionalInt.of(count))));
    }

    /** A number of processes, which may be on one node or on several. */
    private static Sign processes(String variable, String... platforms) {
        return new Sign(
                Set.of(platforms),
                evidence -> SignReaders.count(evidence, variable)
                        .map(count -> new Claim(
                                variable + "=" + count + " says that others belong to this job", OptionalInt.empty())));
    }

    private static Sign index(String variable, String platform) {
        return index(variable, Set.of(platform));
    }

    /** Whoever is not the first is not the only one. */
    private static Sign index(String variable, Set<String> platforms) {
        return new Sign(
                platforms,
                evidence -> SignReaders.number(evidence, variable, MOST)
                        .filter(number -> number > 0)
                        .map(number -> new Claim(
                                variable + "=" + number + " says that this is not the first of the job's nodes",
                                OptionalInt.of(Math.min(number, OptionTable.MOST_NODES) + 1))));
    }

    /** Checks used here and by the readers of signs. */
    static int wholeNumber(String variable, String value, int most) {
        return WholeNumber.parse(value, 0, most)
                .orElseThrow(() -> MusterException.configuration(
                        variable + "=" + Printable.quote(value) + " is not a whole number 0.." + most));
    }
}
