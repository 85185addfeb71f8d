package dev.muster.engine.tensorflow;

import dev.muster.spi.Engine;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.Host;
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
 * Boots a TensorFlow job of parameter servers and workers: the contract of ModelArts for scripts in the style of TensorFlow
 * 1, and {@code TF_CONFIG} for those of TensorFlow 2, which some platforms give themselves.
 */
public final class TensorFlowPsEngine implements Engine {

    private static final EngineDescriptor DESCRIPTOR = EngineDescriptor.of(
                    "tensorflow-ps", "TensorFlow parameter servers and workers, by arguments and TF_CONFIG")
            .withOptions(Options.options())
            .withVariables(TfConfig.VARIABLE)
            .withRoles(List.of(Role.PS.word(), Role.WORKER.word()))
            .withSimulatedPorts(SimulatedLists.PORTS);

    @Override
    public EngineDescriptor descriptor() {
        return DESCRIPTOR;
    }

    /** A TF_CONFIG that holds is read only with the inputs: its plan names the launchers. */
    @Override
    public Optional<LauncherNodes> link(JobSpec job, Node node) throws PlanException {
        return GivenConfig.isFollowed(job)
                ? Optional.empty()
                : Part.ofLists(job, node, Options.of(job)).flatMap(part -> new TerminationPolicy(part).launchers());
    }

    @Override
    public List<Input> inputs(JobSpec job, Node node) {
        return GivenConfig.inputs(job);
    }

    @Override
    public LaunchPlan plan(PlanRequest request) throws PlanException {
        Options options = Options.of(request.job());
        Optional<GivenConfig> given = GivenConfig.read(request);
        return given.isPresent() ? following(given.get(), request.job(), options) : ofLists(request, options);
    }

    /** Each container has a TF_CONFIG of its own, so what the others would do cannot be planned here. */
    @Override
    public List<Host> cluster(PlanRequest request) throws PlanException {
        Optional<GivenConfig> given = GivenConfig.read(request);
        return given.isPresent() ? List.of(new Host(given.get().own().id(), Optional.empty())) : List.of();
    }

    private static LaunchPlan following(GivenConfig given, JobSpec job, Options options) throws PlanException {
        Options followed = options.following(given, job);
        if (followed.inject()) {
            Arguments.refuseIn(job.command());
        }
        return NodePlan.following(job, given, followed);
    }

    private static LaunchPlan ofLists(PlanRequest request, Options options) throws PlanException {
        JobSpec job = request.job();
        Optional<Part> part = Part.ofLists(job, request.node(), options);
        if (part.isEmpty()) {
            return NodePlan.withoutCluster(job, request.node());
        }
        if (options.inject()) {
            Arguments.refuseIn(job.command());
        }
        return NodePlan.of(job, part.get());
    }

    @Override
    public List<NodeProvision> simulation(SimulatedCluster cluster) throws PlanException {
        return new SimulatedLists(cluster).provisions();
    }
}
