package dev.muster.engine.mpi;

import dev.muster.spi.Condition;
import dev.muster.spi.GeneratedFile;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Note;
import dev.muster.spi.Outcome;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The hosts of a given hostfile serve ssh already, and this launcher is the only one of the job that starts ranks. */
final class ServedHosts {

    /** The script that waits for hosts ends by itself before the step does. */
    private static final Duration MORE = Duration.ofMinutes(1);

    private final MpiJob job;
    private final Hostfile hostfile;
    private final Ssh ssh;
    private final OwnHost own;

    private ServedHosts(MpiJob job, Hostfile hostfile, Ssh ssh) {
        this.job = job;
        this.hostfile = hostfile;
        this.ssh = ssh;
        this.own = OwnHost.of(job.request());
    }

    static LaunchPlan plan(PlanRequest request, Optional<Hostfile> hostfile) throws PlanException {
        if (hostfile.isEmpty()) {
            throw Hostfile.missing(request.job());
        }
        Optional<Integer> port = SshPort.given(request.job());
        NodeAssignment assignment = Seats.listed(hostfile.get());
        MpiJob job = MpiJob.of(request, assignment, hostfile);
        return new ServedHosts(job, hostfile.get(), Ssh.of(request.job(), assignment, Sshd.NONE, port)).plan();
    }

    private LaunchPlan plan() throws PlanException {
        PlanBuilder plan =
                new PlanBuilder(job.spec(), 0, job.assignment().hosts().size(), Outcome.ALL_TASKS);
        plan.parts.note(
                Note.info("the hosts of " + hostfile.path() + " (" + hostfile.origin() + ") serve ssh themselves"));
        job.assignment().hosts().stream()
                .filter(own::is)
                .forEach(
                        host -> plan.parts.note(Note.info("host " + host.name() + " is this one, which needs no ssh")));
        plan.parts.notes(job.notes());
        List<String> others = job.assignment().hosts().stream()
                .filter(host -> !own.is(host))
                .map(MpiHost::login)
                .toList();
        if (!others.isEmpty()) {
            addWait(plan);
        }
        List<String> more = new ArrayList<>(job.variables().activated());
        // By it the ranks of this run are known on hosts where no launcher runs.
        more.add(RankVariables.MARKER);
        new Ranks(job, plan).start(HostLines.of(job, plan), ssh, own::is, more, Condition.IMMEDIATELY);
        if (!others.isEmpty()) {
            addStop(plan, others);
        }
        Waiting.launchers(job.request()).ifPresent(plan.parts::launchers);
        return plan.parts.build();
    }

    /** mpirun fails at once where a host is not there. */
    private void addWait(PlanBuilder plan) {
        Duration patience = job.spec().inputTimeout();
        GeneratedFile places = HostLines.places(job, own::is);
        plan.parts.file(Scripts.AWAIT);
        List<Value> command = PlanBuilder.script(Scripts.AWAIT);
        command.addAll(ssh.client(job.spec()));
        command.addAll(List.of(
                places.path(),
                Value.of(patience.toSeconds()),
                Value.of(Messages.duration(patience) + " (--input-timeout)"),
                Value.of(hostfile.path())));
        plan.prepare("hosts", command, patience.plus(MORE));
    }

    private void addStop(PlanBuilder plan, List<String> others) {
        plan.parts.file(Scripts.SIGNAL);
        List<Value> command = PlanBuilder.script(Scripts.SIGNAL);
        command.addAll(ssh.client(job.spec()));
        command.add(Value.of(String.join(" ", RankVariables.MARKS)));
        others.forEach(login -> command.add(Value.of(login)));
        plan.step("stop", ProcessSpec.Phase.ON_STOP, command);
    }
}
