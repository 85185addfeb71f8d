package dev.muster.engine.pytorch;

import dev.muster.spi.EngineOption;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.JobSpec;
import dev.muster.spi.Note;
import dev.muster.spi.Value;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The variables by which PyTorch finds its rendezvous. Platforms and other launchers set them too, some with other meanings
 * (RANK of a node, WORLD_SIZE of cards). So no process inherits them.
 */
final class Variables {

    /** The name of NCCL's error handling since PyTorch 2.2, and the older name. */
    private static final String NCCL_ERRORS = "TORCH_NCCL_ASYNC_ERROR_HANDLING";

    private static final String OLD_NCCL_ERRORS = "NCCL_ASYNC_ERROR_HANDLING";

    private static final String RESTART_COUNT = "TORCHELASTIC_RESTART_COUNT";
    private static final String MAX_RESTARTS = "TORCHELASTIC_MAX_RESTARTS";

    private static final List<String> RENDEZVOUS = List.of(
            "MASTER_ADDR",
            "MASTER_PORT",
            "RANK",
            "LOCAL_RANK",
            "WORLD_SIZE",
            "LOCAL_WORLD_SIZE",
            "GROUP_RANK",
            "GROUP_WORLD_SIZE",
            "ROLE_NAME",
            "ROLE_RANK",
            "ROLE_WORLD_SIZE",
            "TF_CONFIG");

    private static final String TORCHRUN = "PET_";

    /** Variables of torchrun: its options, and those for its ranks. With one of them a rank may wait for a torchrun that does not run. */
    private static final List<String> PREFIXES = List.of(TORCHRUN, "TORCHELASTIC_");

    /** Variables for the rendezvous and the size of a job. A single one may be left over; several are set on purpose. */
    private static final List<String> SAY_WHERE = List.of(
            "MASTER_ADDR",
            "MASTER_PORT",
            "RANK",
            "WORLD_SIZE",
            "PET_MASTER_ADDR",
            "PET_MASTER_PORT",
            "PET_NNODES",
            "PET_NODE_RANK",
            "PET_RDZV_ENDPOINT");

    private Variables() {}

    /** All variables that the engine sets or removes, in any mode. */
    static SortedSet<String> owned() {
        SortedSet<String> owned = new TreeSet<>(RENDEZVOUS);
        PREFIXES.forEach(prefix -> owned.add(prefix + "*"));
        Collections.addAll(owned, NCCL_ERRORS, OLD_NCCL_ERRORS, Cards.VISIBLE, Cards.THREADS);
        return owned;
    }

    /** These variables, and none that the launcher has inherited. */
    static EnvironmentChange change(JobSpec job, Map<String, Value> set) {
        return EnvironmentChange.of(set, ofOthers(job, set).toList());
    }

    /** The same for a torchrun that reads its options from its own variables. */
    static EnvironmentChange changeForTorchrun(JobSpec job, Map<String, Value> set) {
        return EnvironmentChange.of(
                set,
                ofOthers(job, set).filter(name -> !name.startsWith(TORCHRUN)).toList());
    }

    private static Stream<String> ofOthers(JobSpec job, Map<String, Value> set) {
        return job.environment().keySet().stream()
                .filter(name -> RENDEZVOUS.contains(name) || PREFIXES.stream().anyMatch(name::startsWith))
                .filter(name -> !set.containsKey(name));
    }

    /** The variables of another launcher for rendezvous and size that are set: two or more, or none. */
    static List<String> ofAnotherLauncher(JobSpec job) {
        List<String> set = SAY_WHERE.stream()
                .filter(name -> job.variable(name).isPresent())
                .toList();
        return set.size() > 1 ? set : List.of();
    }

    /** A warning about a variable whose value is not the one of the rendezvous. */
    static Optional<Note> unused(String name, String used, EngineOption option, JobSpec job) {
        return job.variable(name)
                .filter(told -> !told.value().equals(used))
                .filter(told -> !job.platform().variables().contains(name))
                .map(told -> Note.warning(Messages.given(told) + " is not used: the nodes meet with " + used + ". --"
                        + option.name() + " " + told.value() + " on all nodes makes it hold"));
    }

    /** torchrun's variables for restarts: how many there were, and how many there may be. */
    static Map<String, Value> restarts(JobSpec job) {
        return Map.of(RESTART_COUNT, Value.of(job.run() - 1), MAX_RESTARTS, Value.of(job.restarts()));
    }

    /** The same; empty for a job without restarts. */
    static Map<String, Value> toldRestarts(JobSpec job) {
        return job.restarts() > 0 ? restarts(job) : Map.of();
    }

    /** The variables that torchrun sets for NCCL, unless the user has set one. */
    static Map<String, Value> ncclErrors(JobSpec job) {
        Map<String, Value> set = new TreeMap<>();
        if (job.variable(NCCL_ERRORS).isEmpty() && job.variable(OLD_NCCL_ERRORS).isEmpty()) {
            set.put(NCCL_ERRORS, Value.of(1));
            set.put(OLD_NCCL_ERRORS, Value.of(1));
        }
        return set;
    }
}
