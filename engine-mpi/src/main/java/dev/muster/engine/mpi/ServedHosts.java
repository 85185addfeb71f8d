package dev.muster.engine.mpi;

import dev.muster.spi.Host;
import dev.muster.spi.JobSpec;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.LauncherNodes;
import dev.muster.spi.Node;
import dev.muster.spi.Note;
import dev.muster.spi.OptionValue;
import dev.muster.spi.Outcome;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The plans of jobs whose hosts serve ssh themselves. One launcher starts the ranks: the only launcher of the job or, if the platform runs
 * Muster on every node, the launcher on node 0. The others wait for its end.
 */
final class ServedHosts {

    /** The hook's deadline is longer than the script's, so that the script itself reports a timeout. */
    private static final Duration EXTRA_TIME = Duration.ofMinutes(1);

    private ServedHosts() {}

    static LaunchPlan plan(MpiJob job, Hostfile hostfile) throws PlanException {
        List<MpiHost> hosts = job.assignment().hosts();
        PlanBuilder plan = new PlanBuilder(job.spec(), 0, hosts.size(), Outcome.ALL_TASKS);
        plan.builder.notes(notes(hostfile, hosts)).notes(job.notes());
        SshClient ssh = new SshClient(job);
        List<Value> others = hosts.stream()
                .filter(host -> !host.isHere())
                .map(host -> Value.of(host.login()))
                .toList();
        if (!others.isEmpty()) {
            addWait(job, plan, ssh, hostfile);
        }
        new MpirunTask(job, plan).startOnServed(ssh);
        if (!others.isEmpty()) {
            addStop(plan, ssh, others);
        }
        launchers(job.request()).ifPresent(plan.builder::launchers);
        return plan.builder.build();
    }

    private static List<Note> notes(Hostfile hostfile, List<MpiHost> hosts) {
        List<Note> notes = new ArrayList<>();
        notes.add(Note.info("the hosts of " + hostfile.path() + " (" + hostfile.origin() + ") serve ssh themselves"));
        hosts.stream()
                .filter(MpiHost::isHere)
                .forEach(host -> notes.add(Note.info("host " + host.name() + " is this one, which needs no ssh")));
        return notes;
    }

    /** Adds a hook that waits for the hosts: mpirun would fail at once if a host does not answer. */
    private static void addWait(MpiJob job, PlanBuilder plan, SshClient ssh, Hostfile hostfile) {
        Duration timeout = job.spec().inputTimeout();
        plan.builder.file(Scripts.AWAIT);
        List<Value> command = PlanBuilder.script(Scripts.AWAIT);
        command.addAll(ssh.client());
        command.addAll(List.of(MpirunTask.hosts(job).path(), Value.of(timeout.toSeconds()), Value.of(hostfile.path())));
        plan.prolog("hosts", command, timeout.plus(EXTRA_TIME));
    }

    private static void addStop(PlanBuilder plan, SshClient ssh, List<Value> others) {
        plan.builder.file(Scripts.SIGNAL);
        List<Value> command = PlanBuilder.script(Scripts.SIGNAL);
        command.addAll(ssh.client());
        command.add(Value.of(String.join(" ", RankVariables.MARKS)));
        command.addAll(others);
        plan.hook("stop", ProcessSpec.Phase.ON_STOP, command);
    }

    /** Whether the launcher of a node only waits. A container whose role has no ranks has no index. */
    static boolean isWaiting(Node node) {
        boolean hasNoRanks =
                node.index().isEmpty() && node.count().isEmpty() && node.role().isPresent();
        return hasNoRanks || node.index().orElse(0) > 0;
    }

    /** The plan of a node that only waits. */
    static LaunchPlan waiting(PlanRequest request) throws PlanException {
        Node node = request.node();
        LauncherNodes launchers = launchers(request)
                .orElseThrow(() ->
                        PlanException.configuration("this node waits for the launcher on node 0, but nobody says where"
                                + " node 0 is. Give --hosts A,B,..., or -o " + Options.SSHD + "=" + Sshd.NONE.word()
                                + " where Muster runs on one node only"));
        PlanBuilder plan = new PlanBuilder(
                request.job(),
                index(node, containers(node)),
                Math.max(1, node.hosts().size()),
                Outcome.FOLLOWS_LEADER);
        plan.builder.note(Note.info("this is " + nameOf(launchers.self()) + "; " + nameOf(launchers.leading())
                + " starts the ranks, and this launcher waits for its end"));
        plan.builder.launchers(launchers);
        return plan.builder.build();
    }

    /** The launchers of all nodes; empty if this launcher is the only one. */
    private static Optional<LauncherNodes> launchers(PlanRequest request) throws PlanException {
        JobSpec job = request.job();
        List<Host> containers = containers(request.node());
        if (Sshd.of(job) != Sshd.PLATFORM || containers.size() < 2) {
            return Optional.empty();
        }
        if (!job.idIsShared()) {
            throw PlanException.configuration("the launchers of the job find each other by its id, but " + job.id()
                    + " is this launcher's own. Give all nodes the same --job-id ID");
        }
        return Optional.of(LauncherNodes.ofHosts(index(request.node(), containers), containers)
                .needed());
    }

    /** The nodes with ranks in node order, then containers of other roles. */
    private static List<Host> containers(Node node) {
        List<Host> hosts = new ArrayList<>(node.hosts());
        node.hostsByRole().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .flatMap(role -> role.getValue().stream())
                .filter(host -> !hosts.contains(host))
                .forEach(hosts::add);
        return hosts;
    }

    private static int index(Node node, List<Host> containers) throws PlanException {
        if (node.index().isPresent()) {
            return Math.min(node.index().getAsInt(), containers.size() - 1);
        }
        String name = node.name().map(OptionValue::value).orElse("");
        for (int i = 0; i < containers.size(); i++) {
            if (containers.get(i).name().equals(name)) {
                return i;
            }
        }
        throw PlanException.configuration("nobody says which of the job's " + containers.size()
                + " containers this is. Give --nodes N and --node-index I");
    }

    private static String nameOf(LauncherNodes.Peer launcher) {
        return launcher.host().map(Host::name).orElse(launcher.name());
    }
}
