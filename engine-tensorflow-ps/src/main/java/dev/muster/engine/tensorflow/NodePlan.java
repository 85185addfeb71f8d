package dev.muster.engine.tensorflow;

import dev.muster.spi.Condition;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.JobSpec;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Node;
import dev.muster.spi.Note;
import dev.muster.spi.Outcome;
import dev.muster.spi.PlanException;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.RequiredDirectory;
import dev.muster.spi.RequiredPort;
import dev.muster.spi.Value;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The processes of this node. */
final class NodePlan {

    private final JobSpec job;
    private final LaunchPlan.Builder plan;

    private NodePlan(JobSpec job, Outcome outcome) {
        this.job = job;
        this.plan = LaunchPlan.builder(outcome);
        // Otherwise it is the caller's directory, which exists.
        if (!job.places().workDirectoryPerTask()) {
            plan.directory(RequiredDirectory.of(job.sharedWorkDirectory(), "working directory of this node"));
        }
    }

    /** The plan of a job whose lists are known. */
    static LaunchPlan of(JobSpec job, NodeAssignment assignment) throws PlanException {
        if (assignment.strategy() == Strategy.PS) {
            Arguments.refuseIn(job.command());
        }
        Cluster cluster = assignment.cluster();
        TerminationPolicy termination = new TerminationPolicy(assignment);
        NodePlan node = new NodePlan(job, termination.outcome());
        node.plan.note(Note.info(label(assignment)));
        node.noteUnused();
        for (Member member : assignment.members()) {
            Value config = new TfConfig(cluster, assignment.strategy()).of(member);
            EnvironmentChange environment = EnvironmentChange.of(Map.of(TfConfig.VARIABLE, config), List.of());
            node.add(member, assignment, termination, environment);
        }
        if (assignment.isRole()) {
            node.plan.name(assignment.members().get(0).id());
        }
        node.requireEqual(assignment);
        int workers = cluster.workers().size();
        int launchers = assignment.isRole() ? cluster.ps().size() + workers : workers;
        return node.plan.over(launchers).build();
    }

    /** The plan of the process that the platform's TF_CONFIG names. It gets TF_CONFIG unchanged. */
    static LaunchPlan following(JobSpec job, GivenConfig given) {
        Member own = given.own();
        NodeAssignment assignment = given.assignment();
        TerminationPolicy termination = new TerminationPolicy(assignment);
        NodePlan node = new NodePlan(job, termination.outcome());
        node.plan.note(Note.info("this node is " + own.id() + " of "
                + (given.isWhole() ? "" : "a job whose workers may come and go; known here: ")
                + Messages.counts(given.cluster()) + "; addresses: " + TfConfig.VARIABLE));
        if (termination.launchers().isEmpty() && (own.role() == Role.PS || own.role() == Role.EVALUATOR)) {
            node.plan.note(Note.info(own.id() + " serves until the platform stops it: by " + TfConfig.VARIABLE
                    + " not all launchers of the job know each other, so nobody here hears when it has ended"));
        }
        node.add(own, assignment, termination, EnvironmentChange.NONE);
        node.requireEqual(assignment);
        return node.plan.name(own.id()).over(given.containers()).build();
    }

    /** The plan without a cluster: a ps that the kind of script does not need, or the only node. */
    static LaunchPlan withoutCluster(JobSpec job, Node node) {
        boolean isPs = Role.ofContainer(node.role()).equals(Optional.of(Role.PS));
        return isPs ? idle(job, new Member(Role.PS, node.index().orElse(0))) : alone(job);
    }

    /** The user's command once, with nothing added: the job has no other process. */
    private static LaunchPlan alone(JobSpec job) {
        NodePlan node = new NodePlan(job, Outcome.ALL_TASKS);
        node.plan.note(
                Note.info("one node and no lists of ps and workers: running the command once, with nothing added (-o "
                        + Options.SHAPE + "=" + Options.NODE + " starts a ps and a worker)"));
        node.noteUnused();
        EnvironmentChange environment = EnvironmentChange.of(Map.of(), List.of(TfConfig.VARIABLE));
        Member member = new Member(Role.WORKER, 0);
        node.plan.process(task(member, node.launch(member, Launch.literally(job.command()), environment)));
        return node.plan.over(1).build();
    }

    private static LaunchPlan idle(JobSpec job, Member member) {
        String reason = member.id() + " has nothing to do: tf-config=" + Strategy.WORKERS.word() + " has no ps";
        Outcome.Case ends = new Outcome.Case(Condition.IMMEDIATELY, 0, reason);
        NodePlan node = new NodePlan(job, Outcome.firstOf(List.of(ends)));
        node.noteUnused();
        return node.plan.name(member.id()).build();
    }

    /** With different lists, processes would wait for each other without a message. */
    private void requireEqual(NodeAssignment assignment) {
        plan.equal(Options.TF_CONFIG, assignment.strategy().word());
        for (Map.Entry<Role, AddressList> list : assignment.cluster().lists().entrySet()) {
            plan.equal("addresses of " + list.getKey().word(), list.getValue().labels());
        }
    }

    private void noteUnused() {
        if (job.variable(TfConfig.VARIABLE).isPresent()) {
            plan.note(Note.info(TfConfig.VARIABLE + " of the environment is not used"));
        }
    }

    private void add(
            Member member, NodeAssignment assignment, TerminationPolicy termination, EnvironmentChange environment) {
        List<Value> command = assignment.strategy() == Strategy.PS
                ? Arguments.appended(job.command(), assignment.cluster(), member)
                : Launch.literally(job.command());
        Launch launch = launch(member, command, environment);
        if (member.role() != Role.EVALUATOR) {
            addPort(member, assignment.cluster());
        }
        plan.process(termination.decides(member) ? task(member, launch) : service(member, launch, termination));
    }

    private static ProcessSpec task(Member member, Launch launch) {
        return ProcessSpec.task(member.id(), launch);
    }

    /** In a stop a ps runs longer than the tasks, so that these can save the variables that the ps holds. */
    private static ProcessSpec service(Member member, Launch launch, TerminationPolicy termination) {
        ProcessSpec.Service service = ProcessSpec.service(member.id(), launch).withMayEnd();
        return termination
                .needed()
                .filter(needed -> member.role() == Role.PS)
                .map(service::withNeededUntil)
                .orElse(service);
    }

    /** All processes share a working directory: the contract gives them no separate ones. */
    private Launch launch(Member member, List<Value> command, EnvironmentChange environment) {
        return new Launch(command, environment, job.sharedWorkDirectory(), job.id() + "-" + member.id() + ".txt");
    }

    /** Demands the process's port, unless the runtime draws a free one. An evaluator needs none: no process connects to it. */
    private void addPort(Member member, Cluster cluster) {
        Endpoint at = cluster.at(member);
        if (at.port().isPresent()) {
            plan.port(RequiredPort.of(
                    at.port().getAsInt(),
                    member.id(),
                    cluster.list(member.role()).origin(),
                    "Give all nodes other ports with -o " + Options.PS_HOSTS + " and -o " + Options.WORKER_HOSTS));
        }
    }

    private static String label(NodeAssignment assignment) {
        Cluster cluster = assignment.cluster();
        List<String> own = assignment.members().stream().map(Member::id).toList();
        String ps = assignment.strategy().hasPs() ? Messages.count(cluster.ps().size(), Role.PS) + " and " : "";
        return "this node is " + String.join(" and ", own) + " of " + ps
                + Messages.count(cluster.workers().size(), Role.WORKER) + "; addresses: "
                + cluster.workers().origin();
    }
}
