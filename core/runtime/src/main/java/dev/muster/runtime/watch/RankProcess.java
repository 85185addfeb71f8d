package dev.muster.runtime.watch;

import dev.muster.runtime.output.StreamSpec;
import dev.muster.runtime.questions.RunningAttempt;
import dev.muster.runtime.questions.RunningAttempt.NodeProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A rank of this node, or a process of the plan that is none. Ranks of hosts, such as mpirun and torchrun, are found among their
 * descendants.
 *
 * @param id of its output
 * @param state {@code waiting}, {@code running} or {@code ended}
 */
record RankProcess(String id, OptionalInt rank, OptionalLong pid, String state) {

    private static final List<String> RANKS = List.of("OMPI_COMM_WORLD_RANK=", "PMI_RANK=", "RANK=");
    private static final String LOCAL = "LOCAL_RANK=";
    private static final String STEP = "step";

    boolean isRunning() {
        return state.equals("running") && pid.isPresent();
    }

    /** Those of this node; steps that only prepare are none. */
    static List<RankProcess> of(RunningAttempt attempt, ProcessSnapshot snapshot) throws InterruptedException {
        List<RankProcess> ranks = new ArrayList<>();
        for (NodeProcess process : attempt.processes()) {
            List<RankProcess> hosted = process.rank().isEmpty() && process.isRunning()
                    ? hosted(snapshot, process.pid().getAsLong(), process.id())
                    : List.of();
            if (hosted.isEmpty() && !process.kind().equals(STEP)) {
                ranks.add(new RankProcess(process.id(), process.rank(), process.pid(), process.state()));
            }
            ranks.addAll(hosted);
        }
        return ranks;
    }

    /** Below a host, the first on each way down that has the variables of a rank. */
    private static List<RankProcess> hosted(ProcessSnapshot snapshot, long pid, String host) {
        List<RankProcess> ranks = new ArrayList<>();
        for (long child : snapshot.childrenOf(pid)) {
            Optional<Integer> rank = rank(snapshot.text(child, "environ"));
            if (rank.isPresent()) {
                ranks.add(new RankProcess(
                        StreamSpec.idOfRank(rank.get()),
                        OptionalInt.of(rank.get()),
                        OptionalLong.of(child),
                        "running"));
            } else {
                ranks.addAll(hosted(snapshot, child, host));
            }
        }
        return ranks;
    }

    private static Optional<Integer> rank(String environment) {
        List<String> variables = List.of(environment.split("\0", -1));
        boolean isLocal = variables.stream().anyMatch(variable -> variable.startsWith(LOCAL));
        return RANKS.stream()
                .filter(name -> isLocal || name.contains("_"))
                .flatMap(name -> variables.stream()
                        .filter(variable -> variable.startsWith(name))
                        .map(variable -> variable.substring(name.length())))
                .filter(value -> value.matches("[0-9]{1,9}"))
                .map(Integer::parseInt)
                .findFirst();
    }
}
