package dev.muster.runtime.supervise;

import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.output.StandardStreams;
import dev.muster.runtime.plan.PlanRanks;
import dev.muster.runtime.process.ProcessRequest.OutputTarget;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.RankInfo;
import java.util.Optional;
import java.util.OptionalInt;

/** The rank that has the user's terminal ({@code --debug-rank}), for pdb and its like. It prints to no log. */
record DebuggedRank(OptionalInt rank) {

    boolean is(ProcessSpec process) {
        return rank.isPresent() && process.placement().map(RankInfo::rank).equals(Optional.of(rank.getAsInt()));
    }

    /** Where it prints. */
    OutputTarget terminal() {
        return new OutputTarget(StandardStreams.terminal().orElseThrow(), -1);
    }

    /** @throws MusterException the job has no such rank, or there is no terminal for it */
    void require(LaunchPlan plan, RunTools tools) {
        if (rank.isEmpty()) {
            return;
        }
        int size = PlanRanks.worldSize(plan);
        String wanted = "--debug-rank " + rank.getAsInt() + ": ";
        if (plan.processes().stream().anyMatch(process -> process.hosted().isPresent())) {
            throw MusterException.configuration(wanted + "the ranks of this job are started by another program, which"
                    + " has their terminal. Use an engine that starts each rank itself");
        }
        if (size > 0 && size <= rank.getAsInt()) {
            throw MusterException.configuration(wanted + "the job has ranks 0-" + (size - 1) + ". Give one of these");
        }
        if (plan.processes().stream().anyMatch(this::is)) {
            requireTerminal(wanted, tools);
        }
    }

    private void requireTerminal(String wanted, RunTools tools) {
        if (!tools.supervisor().caller().isInputTerminal()
                || StandardStreams.terminal().isEmpty()) {
            throw MusterException.configuration(wanted + "it is a rank of this node, and there is no terminal for it."
                    + " Start this launcher in one, without pipes (srun --pty, kubectl exec -it, docker run -it)");
        }
        tools.console()
                .say("rank " + rank.getAsInt() + " has this terminal (--debug-rank): Ctrl-C goes to it, and what it"
                        + " prints is in no log; muster stop ends the job");
    }
}
