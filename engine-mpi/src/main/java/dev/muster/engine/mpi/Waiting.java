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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A node whose platform serves ssh, and runs the job's command on every node: the ranks are started by the launcher on node 0, and this
 * one waits for its end.
 */
final class Waiting {

    private Waiting() {}

    /** A container of another role than those with ranks has no index among these. */
    static boolean isMeant(JobSpec job, Node node) {
        boolean isAside =
                node.index().isEmpty() && node.count().isEmpty() && node.role().isPresent();
        return Sshd.of(job) == Sshd.NONE
                && isOnAll(job)
                && (isAside || node.index().orElse(0) > 0);
    }

    static LaunchPlan plan(PlanRequest request) throws PlanException {
        JobSpec job = request.job();
        LauncherNodes launchers = launchers(request)
                .orElseThrow(() ->
                        PlanException.configuration("this node waits for the launcher on node 0, but nobody says where"
                                + " node 0 is. Give --hosts A,B,..., or -o " + Options.LAUNCHERS + "="
                                + Options.LAUNCHERS_ONE + " where Muster runs on one node only"));
        PlanBuilder plan = new PlanBuilder(
                job,
                index(request.node(), hosts(request.node())),
                Math.max(1, request.node().hosts().size()),
                Outcome.FOLLOWS_LEADER);
        plan.parts.note(Note.info("this is " + hostOf(launchers.self()) + "; " + hostOf(launchers.leading())
                + " starts the ranks, and this launcher waits for its end"));
        plan.parts.launchers(launchers);
        return plan.parts.build();
    }

    /** The launchers of a job on nodes that serve ssh; empty where this one is the only one. */
    static Optional<LauncherNodes> launchers(PlanRequest request) throws PlanException {
        List<Host> hosts = hosts(request.node());
        if (!isOnAll(request.job()) || hosts.size() < 2) {
            return Optional.empty();
        }
        JobSpec job = request.job();
        if (!job.idIsShared()) {
            throw PlanException.configuration("the launchers of the job find each other by its id, but " + job.id()
                    + " is this launcher's own. Give all nodes the same --job-id ID");
        }
        return Optional.of(
                LauncherNodes.ofHosts(index(request.node(), hosts), hosts).needed());
    }

    private static boolean isOnAll(JobSpec job) {
        return job.option(Options.LAUNCHERS)
                .filter(value -> value.value().equals(Options.LAUNCHERS_ALL))
                .isPresent();
    }

    /** The nodes with ranks in node order, then containers of other roles. */
    private static List<Host> hosts(Node node) {
        List<Host> hosts = new ArrayList<>(node.hosts());
        node.hostsByRole().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .flatMap(role -> role.getValue().stream())
                .filter(host -> !hosts.contains(host))
                .forEach(hosts::add);
        return hosts;
    }

    private static int index(Node node, List<Host> hosts) throws PlanException {
        if (node.index().isPresent()) {
            return Math.min(node.index().getAsInt(), hosts.size() - 1);
        }
        String name = node.name().map(OptionValue::value).orElse("");
        for (int i = 0; i < hosts.size(); i++) {
            if (hosts.get(i).name().equals(name)) {
                return i;
            }
        }
        throw PlanException.configuration("nobody says which of the job's " + hosts.size()
                + " containers this is. Give --nodes N and --node-index I");
    }

    private static String hostOf(LauncherNodes.Peer launcher) {
        return launcher.host().map(Host::name).orElse(launcher.name());
    }
}
