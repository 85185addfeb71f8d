package dev.muster.runtime.supervise;

import dev.muster.runtime.config.Setting;
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
public record DebuggedRank(OptionalInt rank) {

    boolean is(ProcessSpec process) {
        return rank.isPresent() && process.placement().map(RankInfo::rank).equals(Optional.of(rank.getAsInt()));
    }

    OutputTarget terminal() {
        return new OutputTarget(StandardStreams.terminal().orElseThrow(), -1);
    }

    /**
     * Checks that the job can have such a rank.
     *
     * @param wanted a setting that names a rank
     * @throws MusterException the job has no such rank, or another program starts the ranks and has their terminal
     */
    public static void require(Setting wanted, LaunchPlan plan) {
        int size = PlanRanks.worldSize(plan);
        String start = wanted.origin() + " " + wanted.value() + ": ";
        if (plan.processes().stream().anyMatch(process -> process.hosted().isPresent())) {
            throw MusterException.configuration(start + "the ranks of this job are started by another program, which"
                    + " has their terminal. Use an engine that starts each rank itself");
        }
        if (size > 0 && size <= Integer.parseInt(wanted.value())) {
            throw MusterException.configuration(start + "the job has ranks 0-" + (size - 1) + ". Give one of these");
        }
    }

    /** @throws MusterException the rank is on this node, and there is no terminal for it */
    void requireTerminal(LaunchPlan plan, RunTools tools) {
        if (plan.processes().stream().noneMatch(this::is)) {
            return;
        }
        if (!tools.supervisor().caller().isInputTerminal()
                || StandardStreams.terminal().isEmpty()) {
            throw MusterException.configuration(
                    "--debug-rank " + rank.getAsInt() + ": it is a rank of this node, and there is no terminal for it."
                            + " Start this launcher in one, without pipes (srun --pty, kubectl exec -it, docker run -it)");
        }
        tools.console()
                .say("rank " + rank.getAsInt() + " has this terminal (--debug-rank): Ctrl-C goes to it, and what it"
                        + " prints is in no log; muster stop ends the job");
    }
}
