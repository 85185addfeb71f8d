package dev.muster.engine.pytorch;

import dev.muster.spi.Engine;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.Input;
import dev.muster.spi.JobSpec;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.LauncherNodes;
import dev.muster.spi.Node;
import dev.muster.spi.NodeProvision;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import dev.muster.spi.SimulatedCluster;
import dev.muster.spi.SimulatedCluster.SimulatedNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Starts a PyTorch job: the command once per card with the variables of torchrun's ranks, once per node with the arguments of
 * ModelArts' PyTorch contract, or under the real torchrun.
 */
public final class PyTorchEngine implements Engine {

    private static final EngineDescriptor DESCRIPTOR = EngineDescriptor.of(
                    "pytorch-gpu", "PyTorch jobs: one process per card, one per node, or torchrun")
            .withOptions(Mode.OPTION, Rendezvous.ADDRESS, Rendezvous.PORT, TorchrunArguments.OPTION)
            .withExamples(
                    "-- python3 train.py",
                    "-o processes=torchrun -- python3 train.py",
                    "--hosts a,b --node-index 0 --job-id run7 -- python3 train.py")
            .withVariables(Variables.owned())
            .withSimulatedPorts(1);

    @Override
    public EngineDescriptor descriptor() {
        return DESCRIPTOR;
    }

    /** An elastic job has no link, since its nodes may change. */
    @Override
    public Optional<LauncherNodes> link(JobSpec job, Node node) throws PlanException {
        return Elastic.isElastic(node)
                ? Optional.empty()
                : Rendezvous.of(job, node).launchers(node.hosts());
    }

    @Override
    public List<Input> inputs(JobSpec job, Node node) {
        List<Input> inputs = new ArrayList<>();
        if (Mode.of(job.options()) == Mode.TORCHRUN) {
            inputs.addAll(Torchrun.inputs(job));
        }
        return inputs;
    }

    @Override
    public LaunchPlan plan(PlanRequest request) throws PlanException {
        return Elastic.isElastic(request.node()) ? Elastic.plan(request) : new NodeAssignment(request).plan();
    }

    /** All virtual nodes are one machine, and rank 0 binds the rendezvous port on all its addresses. */
    @Override
    public List<NodeProvision> simulation(SimulatedCluster cluster) {
        SimulatedNode first = cluster.nodes().get(0);
        NodeProvision same = NodeProvision.of(Map.of(
                "MUSTER_MASTER_ADDR", first.address(),
                "MUSTER_MASTER_PORT", first.ports().get(0).toString(),
                // Otherwise gloo resolves the machine's name, and the result need not be an address of the machine.
                "GLOO_SOCKET_IFNAME", "lo"));
        Mode mode = Mode.of(cluster.options());
        return cluster.nodes().stream()
                .map(node -> same.withRanks(mode.ranks(node.index(), cluster.cards())))
                .toList();
    }
}
