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
 * (RANK of a node, WORLD_SIZE of cards), so no process inherits one.
 */
final class Variables {

    /** The name of NCCL's error handling from PyTorch 2.2 on, and the one before. */
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

    /** torchrun's options, and what it tells its children: one of these makes a job wait for a torchrun that is not there. */
    private static final List<String> PREFIXES = List.of(TORCHRUN, "TORCHELASTIC_");

    /** What says where a job meets and how large it is. One alone may be a leftover; several are somebody's plan. */
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

    /** All that the engine sets or removes, in any mode. */
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

    /** The same for a torchrun that finds out by its own variables what it has to do. */
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

    /** Which of the variables that tell another launcher where and how large the job is are set: two or more, or none. */
    static List<String> ofAnotherLauncher(JobSpec job) {
        List<String> set = SAY_WHERE.stream()
                .filter(name -> job.variable(name).isPresent())
                .toList();
        return set.size() > 1 ? set : List.of();
    }

    /** A variable with another value than the one with which the processes of several nodes meet. */
    static Optional<Note> unused(String name, String used, EngineOption option, JobSpec job) {
        return job.variable(name)
                .filter(told -> !told.value().equals(used))
                .filter(told -> !job.platform().variables().contains(name))
                .map(told -> Note.warning(Messages.given(told) + " is not used: the nodes meet with " + used + ". --"
                        + option.name() + " " + told.value() + " on all nodes makes it hold"));
    }

    /** What torchrun tells its children of restarts: how many there were, and how many there may be. */
    static Map<String, Value> restarts(JobSpec job) {
        return Map.of(RESTART_COUNT, Value.of(job.run() - 1), MAX_RESTARTS, Value.of(job.restarts()));
    }

    /** The same for ranks that are told so only where there may be restarts. */
    static Map<String, Value> toldRestarts(JobSpec job) {
        return job.restarts() > 0 ? restarts(job) : Map.of();
    }

    /** What torchrun tells PyTorch about NCCL, unless the user has said something. */
    static Map<String, Value> ncclErrors(JobSpec job) {
        Map<String, Value> set = new TreeMap<>();
        if (job.variable(NCCL_ERRORS).isEmpty() && job.variable(OLD_NCCL_ERRORS).isEmpty()) {
            set.put(NCCL_ERRORS, Value.of(1));
            set.put(OLD_NCCL_ERRORS, Value.of(1));
        }
        return set;
    }
}
