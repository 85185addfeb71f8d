package dev.muster.engine.mpi;

import dev.muster.spi.Engine;
import dev.muster.spi.EngineDescriptor;
import dev.muster.spi.Input;
import dev.muster.spi.JobSpec;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.LauncherNodes;
import dev.muster.spi.Node;
import dev.muster.spi.NodeProvision;
import dev.muster.spi.Note;
import dev.muster.spi.Outcome;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import dev.muster.spi.SimulatedCluster;
import dev.muster.spi.SimulatedCluster.SimulatedNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Starts a job under mpirun: the contract of ModelArts' {@code run_mpi.sh} for Horovod, MPI and MindSpore-GPU, over the job's
 * own sshd.
 */
public final class MpiEngine implements Engine {

    private static final EngineDescriptor DESCRIPTOR = EngineDescriptor.of(
                    "mpi", "Horovod, MPI and MindSpore-GPU under mpirun, over ssh of the job's own")
            .withOptions(Options.all())
            .withExamples(
                    "--slots 8 -- python3 train.py",
                    "--slots 8 -o launcher=horovodrun -- python3 train.py",
                    "-o sshd=none --hostfile hosts -- ./solver")
            .withVariables(owned())
            .withSimulatedPorts(1)
            .withLogins();

    @Override
    public EngineDescriptor descriptor() {
        return DESCRIPTOR;
    }

    /** Only the plan names the launchers: the hosts may be in a hostfile, and the key is found in a directory. */
    @Override
    public Optional<LauncherNodes> link(JobSpec job, Node node) {
        return Optional.empty();
    }

    @Override
    public List<Input> inputs(JobSpec job, Node node) {
        List<Input> inputs = new ArrayList<>(Mpi.inputs());
        inputs.addAll(SshdService.inputs(job, node));
        inputs.addAll(Hostfile.inputs(job));
        return inputs;
    }

    @Override
    public LaunchPlan plan(PlanRequest request) throws PlanException {
        Sshd sshd = Sshd.of(request.job());
        if (sshd == Sshd.PLATFORM && ServedHosts.isWaiting(request.node())) {
            return ServedHosts.waiting(request);
        }
        Optional<Hostfile> hostfile = Hostfile.find(request);
        MpiJob job = MpiJob.of(request, hostfile);
        if (!sshd.isOfJob()) {
            return ServedHosts.plan(job, hostfile.orElseThrow());
        }
        return job.assignment().isAlone() ? alone(job) : ofSeveral(job);
    }

    /** The plan of a job of one node: only mpirun, without sshd and ssh. */
    private static LaunchPlan alone(MpiJob job) {
        PlanBuilder plan = new PlanBuilder(job.spec(), 0, 1, Outcome.ALL_TASKS);
        plan.builder.notes(job.notes());
        plan.builder.files(RankShell.files());
        new MpirunTask(job, plan).startHere();
        return plan.builder.build();
    }

    /** The plan of a job of several nodes. Each runs sshd. Node 0 runs mpirun, which starts all ranks; the job ends as mpirun ends. */
    private static LaunchPlan ofSeveral(MpiJob job) throws PlanException {
        HostAssignment assignment = job.assignment();
        int index = assignment.index();
        PlanBuilder plan = new PlanBuilder(
                job.spec(), index, assignment.hosts().size(), index == 0 ? Outcome.ALL_TASKS : Outcome.FOLLOWS_LEADER);
        SshdService sshd = new SshdService(job);
        String place = "this node is " + assignment.label(index) + " of "
                + assignment.hosts().size();
        if (index == 0) {
            plan.builder.note(Note.info(place + " and runs " + job.launcher()));
            plan.builder.notes(job.notes());
        } else {
            plan.builder.note(Note.info(place + "; " + assignment.label(0) + " runs " + job.launcher()
                    + ", and the output of all ranks is there"));
        }
        sshd.addTo(plan);
        if (index == 0) {
            new MpirunTask(job, plan).start(new SshClient(job), sshd.allServe());
        }
        return plan.builder.build();
    }

    /** All nodes get the same variables. No ranks are named: mpirun distributes them. */
    @Override
    public List<NodeProvision> simulation(SimulatedCluster cluster) {
        List<SimulatedNode> nodes = cluster.nodes();
        String hosts = nodes.stream().map(SimulatedNode::address).collect(Collectors.joining(","));
        // Each sshd listens at its node's own loopback address, so all can have the same port.
        NodeProvision same = NodeProvision.of(Map.of(
                "MUSTER_HOSTS",
                hosts,
                "MUSTER_SSHD_PORT",
                Integer.toString(nodes.get(0).ports().get(0)),
                Options.INTERFACES_VARIABLE,
                "lo"));
        return Collections.nCopies(nodes.size(), nodes.size() == 1 ? NodeProvision.NOTHING : same);
    }

    private static SortedSet<String> owned() {
        TreeSet<String> owned = new TreeSet<>(RankVariables.OF_RANKS);
        owned.addAll(RankCommand.hydraVariables());
        owned.addAll(MpirunTask.RESOURCE_MANAGER);
        owned.add(RankShell.PREFIX + "*");
        return owned;
    }
}
