package dev.muster.engine.tensorflow;

import dev.muster.spi.Engine;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.Host;
import dev.muster.spi.Input;
import dev.muster.spi.JobSpec;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Node;
import dev.muster.spi.NodeProvision;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import dev.muster.spi.PlatformContract;
import dev.muster.spi.SimulatedCluster;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Boots a TensorFlow job of parameter servers and workers: the contract of ModelArts for scripts in the style of TensorFlow
 * 1, and {@code TF_CONFIG} for those of TensorFlow 2, which some platforms give themselves.
 */
public final class TensorFlowPsEngine implements Engine {

    private static final EngineDescriptor DESCRIPTOR = new EngineDescriptor(
            "tensorflow-ps",
            "TensorFlow parameter servers and workers, by arguments and TF_CONFIG",
            Wishes.options(),
            List.of(),
            new TreeSet<>(List.of(TfConfig.VARIABLE)),
            new EngineDescriptor.Simulation(List.of(Role.PS.word(), Role.WORKER.word()), SimulatedLists.PORTS));

    @Override
    public EngineDescriptor descriptor() {
        return DESCRIPTOR;
    }

    @Override
    public List<Input> inputs(JobSpec job, Node node) {
        return GivenConfig.inputs(job);
    }

    @Override
    public LaunchPlan plan(PlanRequest request) throws PlanException {
        Wishes wishes = Wishes.of(request.job());
        Optional<GivenConfig> given = GivenConfig.read(request);
        return given.isPresent() ? following(given.get(), request.job(), wishes) : ofLists(request, wishes);
    }

    /** Each container has a TF_CONFIG of its own, so what the others would do cannot be planned here. */
    @Override
    public List<Host> cluster(PlanRequest request) throws PlanException {
        Optional<GivenConfig> given = GivenConfig.read(request);
        return given.isPresent() ? List.of(new Host(given.get().own().id(), Optional.empty())) : List.of();
    }

    private static LaunchPlan following(GivenConfig given, JobSpec job, Wishes wishes) throws PlanException {
        Wishes followed = wishes.following(given, job);
        if (followed.inject()) {
            Arguments.refuseIn(job.command());
        }
        return NodePlan.following(job, given, followed);
    }

    private static LaunchPlan ofLists(PlanRequest request, Wishes wishes) throws PlanException {
        JobSpec job = request.job();
        Node node = request.node();
        Kind kind = wishes.kind();
        Optional<Cluster> given = GivenLists.read(job, kind);
        Optional<Role> role = Shape.role(wishes, node, given.isPresent());
        if (role.isPresent() && role.get() == Role.PS && !kind.hasPs()) {
            return NodePlan.idle(job, new Member(Role.PS, node.index().orElse(0)));
        }
        if (role.isEmpty() && given.isEmpty() && isAlone(job, node, wishes)) {
            refuseChiefWithout(1, wishes);
            return NodePlan.alone(job);
        }
        if (wishes.inject()) {
            Arguments.refuseIn(job.command());
        }
        Cluster cluster = given.isPresent() ? given.get() : computed(job, node, kind, role.isPresent());
        refuseChiefWithout(cluster.workers().size(), wishes);
        Seat seat = role.isPresent() ? Seat.ofRole(role.get(), cluster, node) : Seat.ofNode(cluster, kind, node);
        return NodePlan.of(job, cluster, seat, wishes);
    }

    @Override
    public List<NodeProvision> simulation(SimulatedCluster cluster) throws PlanException {
        return new SimulatedLists(cluster).provisions();
    }

    /** A platform that gives its only node no lists has nothing to tell about roles: ModelArts runs the command as it is. */
    private static boolean isAlone(JobSpec job, Node node, Wishes wishes) {
        return wishes.shape().isEmpty()
                && !job.platform().name().equals(PlatformContract.NONE.name())
                && ComputedLists.nodes(node) == 1;
    }

    private static Cluster computed(JobSpec job, Node node, Kind kind, boolean isRole) throws PlanException {
        ComputedLists lists = new ComputedLists(job, node, kind);
        return isRole ? lists.forRoles() : lists.forNodes();
    }

    private static void refuseChiefWithout(int workers, Wishes wishes) throws PlanException {
        if (wishes.kind() == Kind.CHIEF && workers < 2) {
            throw PlanException.ofValue(
                    wishes.config(),
                    wishes.config().origin() + "=" + Kind.CHIEF.word()
                            + " makes worker 0 the chief, and the job has no other worker, but ParameterServerStrategy says"
                            + " \"There must be at least one worker.\" Use at least 2 nodes, or -o " + Wishes.TF_CONFIG
                            + "=" + Kind.PS.word() + " or " + Kind.WORKERS.word());
        }
    }
}
