package dev.muster.engine.tensorflow;

import dev.muster.spi.Condition;
import dev.muster.spi.DirectoryToMake;
import dev.muster.spi.EnvironmentChange;
import dev.muster.spi.JobSpec;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Note;
import dev.muster.spi.Outcome;
import dev.muster.spi.PortToUse;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.StopMethod;
import dev.muster.spi.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The processes of this node. */
final class NodePlan {

    private final JobSpec job;
    private final List<PortToUse> ports = new ArrayList<>();
    private final List<ProcessSpec> processes = new ArrayList<>();
    private final List<Note> notes = new ArrayList<>();

    private NodePlan(JobSpec job) {
        this.job = job;
    }

    /** The processes of a seat in a cluster. */
    static LaunchPlan of(JobSpec job, Cluster cluster, Seat seat, Wishes wishes) {
        NodePlan plan = new NodePlan(job);
        Life life = new Life(cluster, seat, wishes, job.inputTimeout());
        plan.notes.add(Note.info(label(cluster, seat, wishes.kind())));
        plan.noteUnused();
        for (Member member : seat.members()) {
            Value config = new TfConfig(cluster, wishes.kind()).of(member);
            plan.add(member, cluster, life, wishes, EnvironmentChange.of(Map.of(TfConfig.VARIABLE, config), List.of()));
        }
        Optional<String> name =
                seat.isRole() ? Optional.of(seat.members().get(0).id()) : Optional.empty();
        int processes = cluster.ps().size() + cluster.workers().size();
        return plan.plan(name, life.outcome())
                .over(seat.isRole() ? processes : cluster.workers().size());
    }

    /** The process that the platform's own TF_CONFIG names; it gets that as it came. */
    static LaunchPlan following(JobSpec job, GivenConfig given, Wishes wishes) {
        NodePlan plan = new NodePlan(job);
        Member own = given.own();
        Seat seat = new Seat(true, List.of(own));
        Life life = new Life(given.cluster(), seat, wishes, job.inputTimeout());
        plan.notes.add(Note.info("this node is " + own.id() + " of "
                + (given.isWhole() ? "" : "a job whose workers may come and go; known here: ")
                + Messages.counts(given.cluster()) + "; addresses: " + TfConfig.VARIABLE));
        if (life.deciders().isEmpty()) {
            plan.notes.add(Note.info(own.id() + " serves until the platform stops it: " + TfConfig.VARIABLE
                    + " names no worker, so nobody here sees when the last one has ended"));
        }
        plan.add(own, given.cluster(), life, wishes, EnvironmentChange.NONE);
        return plan.plan(Optional.of(own.id()), life.outcome()).over(given.containers());
    }

    /** The user's command once, with nothing added: there is nobody else in the job. */
    static LaunchPlan alone(JobSpec job) {
        NodePlan plan = new NodePlan(job);
        plan.notes.add(
                Note.info("one node and no lists of ps and workers: running the command once, with nothing added (-o "
                        + Wishes.SHAPE + "=" + Wishes.NODE + " starts a ps and a worker)"));
        plan.noteUnused();
        EnvironmentChange environment = EnvironmentChange.of(Map.of(), List.of(TfConfig.VARIABLE));
        Member member = new Member(Role.WORKER, 0);
        plan.processes.add(task(member, plan.launch(member, Launch.literally(job.command()), environment)));
        return plan.plan(Optional.empty(), Outcome.ALL_TASKS).over(1);
    }

    /** No process at all: a ps that the kind of script has no use for. */
    static LaunchPlan idle(JobSpec job, Member member) {
        NodePlan plan = new NodePlan(job);
        plan.noteUnused();
        String reason = member.id() + " has nothing to do: tf-config=" + Kind.WORKERS.word() + " has no ps";
        Outcome.Case ends = new Outcome.Case(Condition.IMMEDIATELY, 0, reason);
        return plan.plan(Optional.of(member.id()), new Outcome.FirstOf(List.of(ends)));
    }

    private LaunchPlan plan(Optional<String> name, Outcome outcome) {
        return new LaunchPlan(name, directories(), List.of(), ports, processes, outcome, notes);
    }

    private void noteUnused() {
        if (job.variable(TfConfig.VARIABLE).isPresent()) {
            notes.add(Note.info(TfConfig.VARIABLE + " of the environment is not used"));
        }
    }

    private void add(Member member, Cluster cluster, Life life, Wishes wishes, EnvironmentChange environment) {
        List<Value> command =
                wishes.inject() ? Arguments.appended(job.command(), cluster, member) : Launch.literally(job.command());
        Launch launch = launch(member, command, environment);
        if (member.role() != Role.EVALUATOR) {
            addPort(member, cluster);
        }
        processes.add(
                life.decides(member)
                        ? task(member, launch)
                        : new ProcessSpec.Service(
                                member.id(),
                                launch,
                                Condition.IMMEDIATELY,
                                life.jobHasEnded(),
                                true,
                                StopMethod.DEFAULT));
    }

    private static ProcessSpec task(Member member, Launch launch) {
        return new ProcessSpec.Task(member.id(), launch, Optional.empty(), Condition.IMMEDIATELY, StopMethod.DEFAULT);
    }

    /** The contract gives the processes no directories of their own. */
    private Launch launch(Member member, List<Value> command, EnvironmentChange environment) {
        return new Launch(command, environment, job.sharedWorkDirectory(), job.id() + "-" + member.id() + ".txt");
    }

    /** The caller's own directory is there. */
    private List<DirectoryToMake> directories() {
        return job.places().workDirectoryPerTask()
                ? List.of()
                : List.of(new DirectoryToMake(job.sharedWorkDirectory(), "working directory of this node", true));
    }

    /** A port that the runtime draws is free by itself. Nobody connects to an evaluator: it need not listen. */
    private void addPort(Member member, Cluster cluster) {
        Endpoint at = cluster.at(member);
        if (at.port().isPresent()) {
            ports.add(new PortToUse(
                    at.port().getAsInt(),
                    member.id(),
                    cluster.list(member.role()).origin(),
                    "Give all nodes other ports with -o " + Wishes.PS_HOSTS + " and -o " + Wishes.WORKER_HOSTS));
        }
    }

    private static String label(Cluster cluster, Seat seat, Kind kind) {
        StringBuilder text = new StringBuilder("this node is ");
        String separator = "";
        for (Member member : seat.members()) {
            text.append(separator).append(member.id());
            separator = " and ";
        }
        text.append(" of ");
        if (kind.hasPs()) {
            text.append(Messages.count(cluster.ps().size(), Role.PS)).append(" and ");
        }
        return text.append(Messages.count(cluster.workers().size(), Role.WORKER))
                .append("; addresses: ")
                .append(cluster.workers().origin())
                .toString();
    }
}
