package dev.muster.engine.mpi;

import dev.muster.spi.Condition;
import dev.muster.spi.Host;
import dev.muster.spi.JobSpec;
import dev.muster.spi.Node;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.StopMethod;
import dev.muster.spi.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The launchers of a job on nodes whose platform serves ssh: one starts the ranks, the others wait for its word.
 *
 * @param job its id, in which all agree
 * @param hosts of all launchers, the starting one's first, as ssh knows them
 * @param own which of them this is
 * @param ssh how they call each other
 */
record Meeting(String job, List<MpiHost> hosts, int own, Ssh ssh) {

    /** The node that starts the ranks has been seen. */
    static final String CAME = "came";

    /** It has been seen, and is gone without a word. */
    static final String LOST = "lost";

    private static final int ANY_PORT = 22;

    Meeting {
        hosts = List.copyOf(hosts);
    }

    /** Empty where this launcher is the only one of the job. */
    static Optional<Meeting> find(PlanRequest request) throws PlanException {
        if (!isAll(request.job())) {
            return Optional.empty();
        }
        List<Host> hosts = all(request.node());
        if (hosts.size() < 2) {
            return Optional.empty();
        }
        JobSpec job = request.job();
        if (!job.idIsShared()) {
            throw Refusal.configuration("the launchers of the job find each other by its id, but " + job.id()
                    + " is this launcher's own. Give all nodes the same --job-id ID");
        }
        // Where the platform knows addresses besides the names, the names are those of its ssh configuration, with
        // their ports.
        boolean areAliases = hosts.stream().anyMatch(host -> host.address().isPresent());
        List<MpiHost> called = hosts.stream()
                .map(host -> new MpiHost(host.name(), host.name(), ANY_PORT))
                .toList();
        int own = own(request.node(), hosts);
        Ssh ssh = Ssh.of(job, new Seat(called, own), Sshd.NONE, areAliases ? Optional.empty() : SshPort.given(job));
        return Optional.of(new Meeting(job.id(), called, own, ssh));
    }

    /** Whether a launcher runs on every node of the job. */
    static boolean isAll(JobSpec job) {
        return job.option(Options.LAUNCHERS)
                .filter(value -> value.value().equals(Options.LAUNCHERS_ALL))
                .isPresent();
    }

    /** The nodes with ranks in node order, then containers of other roles. */
    private static List<Host> all(Node node) {
        List<Host> hosts = new ArrayList<>(node.hosts());
        node.hostsByRole().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .flatMap(role -> role.getValue().stream())
                .filter(host -> !hosts.contains(host))
                .forEach(hosts::add);
        return hosts;
    }

    private static int own(Node node, List<Host> hosts) throws PlanException {
        if (node.index().isPresent()) {
            return Math.min(node.index().getAsInt(), hosts.size() - 1);
        }
        String name = node.name().map(OptionValue::value).orElse("");
        for (int i = 0; i < hosts.size(); i++) {
            if (hosts.get(i).name().equals(name)) {
                return i;
            }
        }
        throw Refusal.configuration("nobody says which of the job's " + hosts.size()
                + " containers this is. Give --nodes N and --node-index I");
    }

    MpiHost first() {
        return hosts.get(0);
    }

    /** Lets the others find this launcher. */
    void addTo(Parts parts) {
        parts.files(List.of(MeetingScripts.NOTE, MeetingScripts.DELIVER));
        List<Value> command = Ssh.script(MeetingScripts.NOTE);
        command.add(Value.of(name(hosts.get(own))));
        parts.service("note", command, StopMethod.DEFAULT);
    }

    /** Tells all others how the job has ended. */
    void addRelease(Parts parts) {
        List<MpiHost> others = new ArrayList<>(hosts);
        others.remove(own);
        parts.step("release", ProcessSpec.Phase.AFTER_OUTCOME, false, deliver(Words.RELEASE, others));
    }

    /** Tells the first that this one is stopped. */
    void addStop(Parts parts, Duration telling) {
        parts.step(
                "stop",
                ProcessSpec.Phase.ON_STOP,
                false,
                deliver(Words.STOP, List.of(first())),
                new Condition.AnyOf(List.of(
                        new Condition.PrivateFileReady(CAME),
                        new Condition.PrivateFileReady(Words.STOP),
                        new Condition.PrivateFileReady(Words.RELEASE))),
                telling);
    }

    /** Watches the first. */
    void addWatch(Parts parts, Duration lostAfter) {
        parts.files(List.of(MeetingScripts.WATCH));
        List<Value> command = Ssh.script(MeetingScripts.WATCH);
        command.addAll(ssh.client());
        command.addAll(List.of(
                Value.of(first().login()), Value.of(name(first())), Value.of(Math.max(1, lostAfter.toSeconds()))));
        parts.service("watch", command, StopMethod.DEFAULT);
    }

    private List<Value> deliver(String word, List<MpiHost> to) {
        List<Value> command = Ssh.script(MeetingScripts.DELIVER);
        command.addAll(ssh.client());
        command.addAll(List.of(
                Value.of(word),
                new Value.ExitCode(),
                Value.of(hosts.get(own).name()),
                new Value.Reason(),
                Value.of(job)));
        to.forEach(host -> command.add(Value.of(host.login())));
        return command;
    }

    private String name(MpiHost host) {
        return job + "." + host.login();
    }
}
