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
 * Finds the ranks of this node, and processes of the plan that are not ranks. Ranks of a host process, such as mpirun or torchrun, are
 * among its descendants.
 */
record RankFinder(ProcessSnapshot snapshot) {

    private static final List<String> RANKS = List.of("OMPI_COMM_WORLD_RANK=", "PMI_RANK=", "RANK=");
    private static final String LOCAL = "LOCAL_RANK=";
    private static final String STEP = "step";

    /** The processes of this node without its steps. */
    List<NodeProcess> find(RunningAttempt attempt) throws InterruptedException {
        List<NodeProcess> ranks = new ArrayList<>();
        for (NodeProcess process : attempt.processes()) {
            List<NodeProcess> hosted = process.rank().isEmpty() && process.isRunning()
                    ? hosted(process.pid().getAsLong(), process.kind())
                    : List.of();
            if (hosted.isEmpty() && !process.kind().equals(STEP)) {
                ranks.add(process);
            }
            ranks.addAll(hosted);
        }
        return ranks;
    }

    /** The hosted ranks: on each path down from the host process, the first process with a rank's variables. */
    private List<NodeProcess> hosted(long host, String kind) {
        List<NodeProcess> ranks = new ArrayList<>();
        for (ProcessSnapshot.KernelProcess child : snapshot.childrenOf(host)) {
            Optional<Integer> rank = rank(ProcessSnapshot.text(child.pid(), "environ"));
            if (rank.isPresent()) {
                ranks.add(new NodeProcess(
                        StreamSpec.idOfRank(rank.get()),
                        kind,
                        OptionalInt.of(rank.get()),
                        OptionalLong.of(child.pid()),
                        "running"));
            } else {
                ranks.addAll(hosted(child.pid(), kind));
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
