package dev.muster.engine.mpi;

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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Boots a job under mpirun: the contract of ModelArts' {@code run_mpi.sh} for Horovod, MPI and MindSpore-GPU, over an sshd that
 * the job has for itself.
 */
public final class MpiEngine implements Engine {

    private static final EngineDescriptor DESCRIPTOR = EngineDescriptor.of(
                    "mpi", "Horovod, MPI and MindSpore-GPU under mpirun, over ssh of the job's own")
            .withOptions(Options.all())
            .withVariables(owned())
            .withSimulatedPorts(SimulatedHosts.PORTS)
            .withLogins();

    @Override
    public EngineDescriptor descriptor() {
        return DESCRIPTOR;
    }

    /** Which hosts there are may stand in a hostfile, and which key they have in common is seen in a directory. */
    @Override
    public Optional<LauncherNodes> link(JobSpec job, Node node) {
        return Optional.empty();
    }

    @Override
    public List<Input> inputs(JobSpec job, Node node) {
        List<Input> inputs = new ArrayList<>(Mpi.inputs());
        inputs.add(RankShell.INPUT);
        inputs.add(new Input.Program(Launcher.HOROVODRUN.word(), Launcher.HOROVODRUN.word(), List.of()));
        inputs.addAll(SshEndpoint.inputs(job, node));
        inputs.addAll(Hostfile.inputs(job));
        inputs.addAll(SshAliases.inputs(node));
        inputs.addAll(OwnHost.inputs());
        return inputs;
    }

    @Override
    public LaunchPlan plan(PlanRequest request) throws PlanException {
        JobSpec job = request.job();
        if (Waiting.isMeant(job, request.node())) {
            return Waiting.plan(request);
        }
        Optional<Hostfile> hostfile = Hostfile.find(request, Slots.of(job, request.node()));
        if (Sshd.of(job) == Sshd.NONE) {
            return ServedHosts.plan(request, hostfile);
        }
        int port = SshPort.of(job).number();
        NodeAssignment assignment =
                hostfile.isPresent() ? Seats.of(request, hostfile.get(), port) : Seats.of(job, request.node(), port);
        if (Sshd.of(job) == Sshd.IMAGE && hostfile.isEmpty()) {
            assignment = Seats.aliased(request, assignment);
        }
        MpiJob mpiJob = MpiJob.of(request, assignment, hostfile);
        if (assignment.isAlone()) {
            return NodePlans.alone(mpiJob);
        }
        return assignment.index() == 0 ? NodePlans.first(mpiJob) : NodePlans.worker(mpiJob);
    }

    @Override
    public List<NodeProvision> simulation(SimulatedCluster cluster) {
        return SimulatedHosts.of(cluster);
    }

    private static SortedSet<String> owned() {
        TreeSet<String> owned = new TreeSet<>(RankVariables.removed());
        owned.addAll(HydraCommand.variables());
        owned.addAll(Ranks.RESOURCE_MANAGER);
        owned.add(RankShell.OWN + "*");
        return owned;
    }
}
