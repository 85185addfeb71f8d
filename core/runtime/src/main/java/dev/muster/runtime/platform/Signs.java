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
            index("MA_TASK_INDEX", "modelarts").doubtedOfOne(),
            new Sign(TORCH, SignReaders::petNodes).evenOfOne(),
            index("PET_NODE_RANK", TORCH),
            new Sign(TORCH, SignReaders::rendezvous),
            new Sign(VOLCANO, SignReaders::volcanoCounts).doubtedOfOne(),
            new Sign(VOLCANO, SignReaders::volcanoHosts).doubtedOfOne(),
            index("VC_TASK_INDEX", VOLCANO).doubtedOfOne(),
            index("VK_TASK_INDEX", VOLCANO).doubtedOfOne(),
            new Sign(VOLCANO, SignReaders::volcanoIndexAlone),
            new Sign(Set.of("volcano"), evidence -> SignReaders.anyValue(evidence, "MPI_HOST")),
            new Sign(Set.of("tfjob", "volcano"), SignReaders::tfConfig).unlessGivenToARank(),
            new Sign(Set.of("mpijob"), evidence -> SignReaders.anyValue(evidence, "K_MPI_JOB_ROLE")),
            number("DLWS_NUM_WORKER", "workers", "apulis").evenOfOne(),
            number("DLWS_WORKER_NUM", "workers", "apulis").evenOfOne(),
            new Sign(Set.of("apulis"), SignReaders::apulisWorkers).evenOfOne(),
            new Sign(Set.of("apulis"), SignReaders::apulisIndex),
            new Sign(
                    Set.of("indexed-job", "jobset", "trainer"),
                    evidence -> SignReaders.anyValue(evidence, "JOB_COMPLETION_INDEX")),
            new Sign(TORCH, SignReaders::worldSize).unlessGivenToARank(),
            new Sign(TORCH, SignReaders::worldWithoutMaster).unlessGivenToARank(),
            new Sign(TORCH, SignReaders::cardsOfNodes).unlessGivenToARank(),
            processes("MS_WORKER_NUM", "acjob").unlessGivenToARank(),
            processes("CM_WORKER_SIZE", "acjob"),
            processes("NUM_PROCESSES", "jaxjob"),
            index("PROCESS_ID", "jaxjob"),
            new Sign(Set.of("jaxjob"), SignReaders::coordinator),
            new Sign(Set.of("acjob", "apulis", "modelarts"), SignReaders::mindXAlone).unlessGivenToARank(),
            number("AWS_BATCH_JOB_NUM_NODES", "nodes"),
            number("PBS_NUM_NODES", "nodes"),
            number("FLUX_JOB_NNODES", "nodes"),
            processes("PADDLE_TRAINERS_NUM"),
            processes("DMLC_NUM_WORKER"),
            new Sign(Set.of("modelarts", "mindx-dl", "apulis"), SignReaders::rankTables)
                    .unlessGivenToARank()
                    .evenOfOne());

    /** What no platform of ours reads, in the words of {@link NamePattern}. */
    private static final List<String> OF_OTHERS = List.of(
            "AWS_BATCH_*",
            "PBS_*",
            "FLUX_*",
            "PADDLE_TRAINERS_NUM",
            "DMLC_*",
            "MPI_HOST",
            "MINDSPORE_HCCL_CONFIG_PATH");

    private Signs() {}

    /** Whether a variable may say something of a job, by which a virtual node would be misled. */
    static boolean areRead(String variable) {
        return NamePattern.matches(OF_OTHERS, variable)
                || Platforms.ALL.stream().anyMatch(platform -> NamePattern.matches(platform.variables(), variable));
    }

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
        boolean isPlaced = settings.given(OptionTable.NODE_INDEX).isPresent();
        for (Sign sign : isChosen ? List.<Sign>of() : TABLE) {
            if (isRank && sign.isGivenToRanks()) {
                continue;
            }
            if (!sign.platforms().contains(platform) || node.count().isEmpty()) {
                sign.claim().apply(evidence).ifPresent(claims::add);
            } else if (node.count().getAsInt() == 1) {
                sign.ofOne(evidence)
                        .filter(found -> !(isPlaced && found.isDoubtful()))
                        .ifPresent(claims::add);
            }
        }
        return claims;
    }

    /** What a sign is where the reader that hears it knows one node only. */
    private enum OfOne {
        /** The reader has weighed it. */
        HEARD,
        /** Whatever counts the nodes is wrong then. */
        REFUSED,
        /** It may mean nothing in a job of one node. */
        DOUBTED
    }

    /**
     * One sign.
     *
     * @param platforms whose readers hear it
     * @param isGivenToRanks whether launchers such as this one give it to their ranks, who may start launchers in turn
     */
    private record Sign(
            Set<String> platforms,
            Function<Evidence, Optional<Claim>> claim,
            boolean isGivenToRanks,
            OfOne meaningOfOne) {

        Sign(Set<String> platforms, Function<Evidence, Optional<Claim>> claim) {
            this(platforms, claim, false, OfOne.HEARD);
        }

        Sign unlessGivenToARank() {
            return new Sign(platforms, claim, true, meaningOfOne);
        }

        Sign evenOfOne() {
            return new Sign(platforms, claim, isGivenToRanks, OfOne.REFUSED);
        }

        Sign doubtedOfOne() {
            return new Sign(platforms, claim, isGivenToRanks, OfOne.DOUBTED);
        }

        /** What it says against the only node that its reader knows of. */
        Optional<Claim> ofOne(Evidence evidence) {
            return switch (meaningOfOne) {
                case HEARD -> Optional.empty();
                case REFUSED ->
                    claim.apply(evidence).filter(found -> found.nodes().isPresent());
                case DOUBTED -> doubt(evidence);
            };
        }

        /** Nobody has to correct a variable that may mean nothing. */
        private Optional<Claim> doubt(Evidence evidence) {
            try {
                return claim.apply(evidence).map(Claim::doubtful);
            } catch (MusterException wrong) {
                return Optional.of(new Claim(String.valueOf(wrong.getMessage()), OptionalInt.empty()).doubtful());
            }
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

    private static Sign index(String variable, Set<String> platforms) {
        return new Sign(platforms, evidence -> SignReaders.index(evidence, variable));
    }

    /** Checks used here and by the readers of signs. */
    static int wholeNumber(String variable, String value, int most) {
        return WholeNumber.parse(value, 0, most)
                .orElseThrow(() -> MusterException.configuration(
                        variable + "=" + Printable.quote(value) + " is not a whole number 0.." + most));
    }
}
