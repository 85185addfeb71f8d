package dev.muster.engine.tensorflow;

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
import java.util.List;
import java.util.Optional;

/**
 * Starts a TensorFlow job of parameter servers and workers: by the contract of ModelArts for scripts in the style of TensorFlow
 * 1, and by {@code TF_CONFIG} for scripts of TensorFlow 2. Some platforms set TF_CONFIG themselves.
 */
public final class TensorFlowPsEngine implements Engine {

    private static final EngineDescriptor DESCRIPTOR = EngineDescriptor.of(
                    "tensorflow-ps", "TensorFlow parameter servers and workers, by arguments and TF_CONFIG")
            .withOptions(Options.ALL)
            .withExamples(
                    "-- python3 train.py",
                    "-o tf-config=workers -- python3 train.py",
                    "--hosts a,b --node-index 0 --job-id run7 -- python3 train.py")
            .withVariables(TfConfig.VARIABLE)
            .withRoles(List.of(Role.PS.word(), Role.WORKER.word()))
            .withSimulatedPorts(SimulatedLists.PORTS);

    @Override
    public EngineDescriptor descriptor() {
        return DESCRIPTOR;
    }

    @Override
    public Optional<LauncherNodes> link(JobSpec job, Node node) throws PlanException {
        Optional<NodeAssignment> given = GivenConfig.of(job, node).map(GivenConfig::assignment);
        Optional<NodeAssignment> assignment =
                given.isPresent() ? given : NodeAssignment.ofLists(job, node, Options.of(job));
        return assignment.flatMap(own -> new TerminationPolicy(own).launchers());
    }

    @Override
    public List<Input> inputs(JobSpec job, Node node) {
        return List.of();
    }

    @Override
    public LaunchPlan plan(PlanRequest request) throws PlanException {
        JobSpec job = request.job();
        Options options = Options.of(job);
        Optional<GivenConfig> given = GivenConfig.of(job, request.node());
        if (given.isPresent()) {
            options.refuseOtherThan(given.get());
            return NodePlan.following(job, given.get());
        }
        Optional<NodeAssignment> assignment = NodeAssignment.ofLists(job, request.node(), options);
        return assignment.isPresent()
                ? NodePlan.of(job, assignment.get())
                : NodePlan.withoutCluster(job, request.node());
    }

    @Override
    public List<NodeProvision> simulation(SimulatedCluster cluster) throws PlanException {
        return new SimulatedLists(cluster).provisions();
    }
}
