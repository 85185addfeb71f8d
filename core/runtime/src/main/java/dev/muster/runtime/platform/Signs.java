package dev.muster.runtime.platform;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.platform.ForeignSigns.Kind;
import dev.muster.spi.Platform;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
    private static final String APULIS = "apulis";
    private static final Set<String> VOLCANO = Set.of("volcano", "modelarts", "mindx-dl");
    private static final Set<String> TORCH = Set.of("pytorchjob", "trainer", "volcano", "mindx-dl", "acjob");

    private static final List<Sign> TABLE = List.of(
            row("SLURM_STEP_NUM_NODES", Kind.NODES, Set.of(SLURM)),
            row("SLURM_NNODES", Kind.NODES, Set.of(SLURM)),
            row("SLURM_JOB_NUM_NODES", Kind.NODES, Set.of(SLURM)),
            row("SLURM_NTASKS", Kind.PROCESSES, Set.of(SLURM)),
            row("SLURM_HET_SIZE", Kind.PROCESSES, Set.of(SLURM)),
            row("SLURM_NODEID", Kind.INDEX, Set.of(SLURM)),
            row("SLURM_PROCID", Kind.INDEX, Set.of(SLURM)),
            row("MA_NUM_HOSTS", Kind.NODES, Set.of("modelarts")),
            row("MA_TASK_INDEX", Kind.INDEX, Set.of("modelarts")).doubtedOfOne(),
            new Sign(TORCH, FrameworkSigns::torchrun),
            row("PET_NODE_RANK", Kind.INDEX, TORCH),
            new Sign(VOLCANO, Signs::volcano).doubtedOfOne(),
            row("VC_TASK_INDEX", Kind.INDEX, VOLCANO).doubtedOfOne(),
            row("VK_TASK_INDEX", Kind.INDEX, VOLCANO).doubtedOfOne(),
            row("MPI_HOST", Kind.PRESENCE, Set.of("volcano")),
            new Sign(Set.of("tfjob", "volcano"), FrameworkSigns::tensorFlow).unlessGivenToARank(),
            row("K_MPI_JOB_ROLE", Kind.PRESENCE, Set.of("mpijob")),
            row("DLWS_NUM_WORKER", Kind.NODES, Set.of(APULIS)),
            row("DLWS_WORKER_NUM", Kind.NODES, Set.of(APULIS)),
            row("DLWS_SD_worker1_IP", Kind.PRESENCE, Set.of(APULIS)).doubtedOfOne(),
            row("DLWS_ROLE_IDX", Kind.INDEX, Set.of(APULIS)),
            row("JOB_COMPLETION_INDEX", Kind.PRESENCE, Set.of("indexed-job", "jobset", "trainer")),
            new Sign(TORCH, FrameworkSigns::worldSize).unlessGivenToARank(),
            row("MS_WORKER_NUM", Kind.PROCESSES, Set.of("acjob")).unlessGivenToARank(),
            row("CM_WORKER_SIZE", Kind.PROCESSES, Set.of("acjob")),
            row("NUM_PROCESSES", Kind.PROCESSES, Set.of("jaxjob")),
            row("PROCESS_ID", Kind.INDEX, Set.of("jaxjob")),
            new Sign(Set.of("acjob", "apulis", "modelarts"), FrameworkSigns::mindXAlone).unlessGivenToARank(),
            new Sign(Set.of("modelarts", "mindx-dl", "apulis"), FrameworkSigns::rankTables)
                    .unlessGivenToARank()
                    .doubtedOfOne());

    /** What no platform of ours reads, in the words of {@link NamePattern}. */
    private static final List<String> OF_OTHERS = List.of("MPI_HOST", "MINDSPORE_HCCL_CONFIG_PATH");

    private Signs() {}

    /** Whether a variable may say something of a job, by which a virtual node would be misled. */
    static boolean areRead(String variable, List<Platform> platforms) {
        return NamePattern.matches(OF_OTHERS, variable)
                || ForeignSigns.isRead(variable)
                || platforms.stream().anyMatch(platform -> NamePattern.matches(platform.variables(), variable));
    }

    /**
     * What says that the job has several nodes, and was followed by nobody.
     *
     * @param platform the name of the platform that we are on: what it tells about the number of nodes is heard
     * @param nodes how many there are by platform and options; empty: nobody says so
     */
    static List<Claim> unheard(EvidenceReader evidence, String platform, OptionalInt nodes) {
        boolean isNamed = evidence.said(OptionTable.PLATFORM.name())
                .filter(named -> !named.value().equals(PlatformDetector.AUTOMATIC))
                .isPresent();
        if (isNamed || evidence.saidNodes().isPresent()) {
            return List.of();
        }
        boolean isOne = nodes.orElse(0) == 1
                && evidence.said(OptionTable.NODE_INDEX.name()).isEmpty();
        List<Claim> claims = new ArrayList<>(ForeignSigns.unheard(evidence, platform, nodes));
        for (Sign sign : TABLE) {
            boolean isMeant = !(sign.isGivenToRanks() && evidence.isOfARank());
            boolean isHeard = sign.platforms().contains(platform) && nodes.isPresent();
            if (isMeant && !isHeard) {
                sign.claim().apply(evidence).ifPresent(claims::add);
            } else if (isMeant && isOne && sign.isDoubtedOfOne()) {
                sign.claim().apply(evidence).map(Claim::doubtful).ifPresent(claims::add);
            }
        }
        return claims;
    }

    /**
     * One sign.
     *
     * @param platforms whose readers hear it
     * @param isGivenToRanks whether launchers such as this one give it to their ranks, who may start launchers in turn
     * @param isDoubtedOfOne whether the user should know of it where the reader that hears it knows one node only
     */
    private record Sign(
            Set<String> platforms,
            Function<EvidenceReader, Optional<Claim>> claim,
            boolean isGivenToRanks,
            boolean isDoubtedOfOne) {

        Sign(Set<String> platforms, Function<EvidenceReader, Optional<Claim>> claim) {
            this(platforms, claim, false, false);
        }

        Sign unlessGivenToARank() {
            return new Sign(platforms, claim, true, isDoubtedOfOne);
        }

        Sign doubtedOfOne() {
            return new Sign(platforms, claim, isGivenToRanks, true);
        }
    }

    /** A line as those of others have. */
    private static Sign row(String variable, Kind kind, Set<String> platforms) {
        return new Sign(platforms, new ForeignSigns.Row(variable, kind, "", platforms, List.of())::claim);
    }

    /** A number of two or more. */
    static Optional<Integer> several(EvidenceReader evidence, String variable) {
        return evidence.integer(variable, 0, MOST).filter(number -> number > 1);
    }

    /** All containers of all tasks; the env plugin alone tells every container its index, and nobody how many there are. */
    private static Optional<Claim> volcano(EvidenceReader evidence) {
        List<String> seen = new ArrayList<>();
        int sum = 0;
        for (Map.Entry<String, String> variable : evidence.facts().environment().entrySet()) {
            boolean isCount =
                    VolcanoTasks.task(variable.getKey(), VolcanoTasks.NUMBER).isPresent();
            if (isCount && !variable.getValue().isEmpty()) {
                sum += evidence.wholeNumber(variable.getKey(), 0, OptionTable.MOST_NODES);
                seen.add(variable.getKey() + "=" + variable.getValue());
            }
        }
        if (sum > 1) {
            return Optional.of(Claim.ofNodes(String.join(", ", seen), sum));
        }
        boolean isTold = !seen.isEmpty() || !new VolcanoTasks(evidence).lists().isEmpty();
        return isTold
                ? Optional.empty()
                : evidence.firstSet(VolcanoTasks.INDICES).map(Claim::ofPresence);
    }
}
