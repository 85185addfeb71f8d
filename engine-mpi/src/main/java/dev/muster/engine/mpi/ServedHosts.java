package dev.muster.engine.mpi;

import dev.muster.spi.Condition;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Machine;
import dev.muster.spi.Note;
import dev.muster.spi.Outcome;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/** The other hosts of a given hostfile serve ssh already, and this launcher is the only one of the job. */
final class ServedHosts {

    /** By it the ranks of this run are known on hosts where no launcher runs. */
    private static final String MARKER = "MUSTER_JOB";

    private final MpiJob job;
    private final Hostfile hostfile;
    private final Ssh ssh;

    private ServedHosts(MpiJob job, Hostfile hostfile, Ssh ssh) {
        this.job = job;
        this.hostfile = hostfile;
        this.ssh = ssh;
    }

    static LaunchPlan plan(PlanRequest request, Optional<Hostfile> hostfile) throws PlanException {
        if (hostfile.isEmpty()) {
            throw Hostfile.missing(request.job());
        }
        Optional<Integer> port = SshPort.given(request.job());
        Seat seat = Seats.listed(hostfile.get());
        MpiJob job = MpiJob.of(request, seat, hostfile);
        return new ServedHosts(job, hostfile.get(), Ssh.of(request.job(), seat, Sshd.NONE, port)).plan();
    }

    private LaunchPlan plan() {
        Parts parts = new Parts(job.spec(), 0);
        parts.note(Note.info("the hosts of " + hostfile.path() + " (" + hostfile.origin() + ") serve ssh themselves"));
        job.notes().forEach(parts::note);
        parts.files(ssh.files());
        parts.files(List.of(Scripts.SIGNAL));
        new Ranks(job, parts).start(HostLines.of(job, parts), ssh, List.of(MARKER), allLetUsIn());
        parts.step("stop", ProcessSpec.Phase.ON_STOP, false, signal());
        return parts.plan(job.seat(), new Outcome.FirstOf(cases()));
    }

    private List<Value> signal() {
        List<Value> command = Ssh.script(Scripts.SIGNAL);
        command.addAll(ssh.client());
        others().forEach(node -> command.add(Value.of(host(node).login())));
        return command;
    }

    private Condition allLetUsIn() {
        List<Condition> parts = new ArrayList<>();
        others().forEach(node -> parts.add(ssh.letsUsIn(host(node), node)));
        return parts.isEmpty() ? Condition.IMMEDIATELY : new Condition.AllOf(parts);
    }

    /** A launcher that works too is one of the hosts, and need not serve ssh: mpirun starts its ranks without. */
    private List<Integer> others() {
        List<Integer> all =
                IntStream.range(0, job.seat().hosts().size()).boxed().toList();
        List<Integer> own =
                all.stream().filter(node -> isThisMachine(host(node))).toList();
        return own.size() == 1
                ? all.stream().filter(node -> !own.contains(node)).toList()
                : all;
    }

    private boolean isThisMachine(MpiHost host) {
        Machine machine = job.request().node().machine();
        String name = MpiHost.withoutUser(host.login());
        return machine.addresses().contains(name) || label(name).equals(label(machine.hostName()));
    }

    private static String label(String name) {
        return name.split("\\.", 2)[0].toLowerCase(Locale.ROOT);
    }

    private MpiHost host(int node) {
        return job.seat().hosts().get(node);
    }

    private List<Outcome.Case> cases() {
        Duration patience = job.spec().inputTimeout();
        Condition all = allLetUsIn();
        List<Outcome.Case> cases = new ArrayList<>();
        cases.add(Ranks.haveEnded());
        others().forEach(node -> cases.add(somebodyElse(node)));
        cases.add(new Outcome.Case(
                new Condition.Before(new Condition.Elapsed(patience), all),
                Words.TRY_AGAIN,
                Optional.empty(),
                Optional.of(all),
                "not all hosts of " + hostfile.path() + " were there within " + Messages.duration(patience)
                        + " (--input-timeout). See on them why, or give them more time"));
        return cases;
    }

    private Outcome.Case somebodyElse(int node) {
        MpiHost host = host(node);
        return new Outcome.Case(
                ssh.isSomebodyElse(host, node),
                Words.TRY_AGAIN,
                "host " + host.name() + " of " + hostfile.path()
                        + " does not have the key that ssh expects of it. Add its"
                        + " key to ~/.ssh/known_hosts, or see with \"ssh " + host.login() + " true\" what ssh wants");
    }
}
