package dev.muster.runtime.plan;

import dev.muster.runtime.text.Printable;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.InputValue;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.ProcessSpec;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Checks the engine rules R3 (ranks) and R4 (variables), as far as the plan of one node shows them. Only the link knows where the ranks of
 * other nodes begin.
 *
 * @param isAlone whether the job has no other node
 * @param inputs of the engine
 */
record RankRules(EngineDescriptor engine, boolean isAlone, Collection<InputValue> inputs, Problems problems) {

    void check(LaunchPlan plan) {
        plan.processes().forEach(this::checkVariables);
        SortedSet<Integer> local = new TreeSet<>();
        PlanRanks.of(plan).forEach(rank -> local.add(rank.localRank()));
        if (!local.isEmpty()) {
            int worldSize = PlanRanks.worldSize(plan);
            checkRanks(local, worldSize);
            checkNodes(plan, local.size(), worldSize);
        }
    }

    /**
     * Refuses a plan for several nodes in which this node has all ranks: each node would train alone. It is allowed with a warning in the
     * plan, or if the engine has roles, since some roles have no ranks.
     */
    private void checkNodes(LaunchPlan plan, int ranks, int worldSize) {
        int nodes = plan.nodes().orElse(1);
        boolean isTold = plan.notes().stream().anyMatch(note -> note.isWarning());
        problems.require(
                nodes == 1 || ranks < worldSize || isTold || !engine.roles().isEmpty(),
                "it says that the job runs over " + nodes + " nodes, but the world size is " + worldSize
                        + ", and this node alone has as many ranks (rule R3)");
    }

    private void checkRanks(SortedSet<Integer> local, int worldSize) {
        problems.require(
                local.first() == 0 && local.last() == local.size() - 1,
                "the local ranks of a node with " + local.size() + " tasks are not 0 to " + (local.size() - 1)
                        + ", but " + local + " (rule R3)");
        problems.require(
                local.size() <= worldSize && (!isAlone || local.size() == worldSize),
                "the world size is " + worldSize + ", but " + (isAlone ? "the only node" : "this node alone") + " has "
                        + local.size() + (local.size() == 1 ? " rank" : " ranks") + " (rule R3)");
    }

    private void checkVariables(ProcessSpec process) {
        EnvironmentChange changes = process.launch().environment();
        SortedSet<String> touched = new TreeSet<>(changes.set().keySet());
        touched.addAll(changes.remove());
        touched.removeIf(engine::owns);
        if (!touched.isEmpty()) {
            touched.removeAll(namedByCommands());
        }
        problems.require(
                touched.isEmpty(),
                "process " + Printable.quote(process.id()) + " changes "
                        + Printable.escape(String.join(", ", touched))
                        + ", which the engine does not say it owns (rule R4)");
    }

    /** The variables that a command printed, as a script of the user's site does. Their names are not known before. */
    private Set<String> namedByCommands() {
        Set<String> names = new HashSet<>();
        for (InputValue input : inputs) {
            if (input instanceof InputValue.CommandOutput command) {
                for (String entry : command.output().split("\0", -1)) {
                    int equals = entry.indexOf('=');
                    names.add(equals < 0 ? entry : entry.substring(0, equals));
                }
            }
        }
        return names;
    }
}
