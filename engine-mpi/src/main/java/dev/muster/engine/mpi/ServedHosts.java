package dev.muster.engine.mpi;

import dev.muster.spi.Condition;
import dev.muster.spi.FileToWrite;
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
        Seat seat = Seats.listed(hostfile.get());
        MpiJob job = MpiJob.of(request, seat, hostfile);
        return new ServedHosts(job, hostfile.get(), Ssh.of(request.job(), seat, Sshd.NONE, port)).plan();
    }

    private LaunchPlan plan() throws PlanException {
        Parts parts = new Parts(job.spec(), 0);
        parts.note(Note.info("the hosts of " + hostfile.path() + " (" + hostfile.origin() + ") serve ssh themselves"));
        job.seat().hosts().stream()
                .filter(own::is)
                .forEach(host -> parts.note(Note.info("host " + host.name() + " is this one, which needs no ssh")));
        job.notes().forEach(parts::note);
        List<String> others = job.seat().hosts().stream()
                .filter(host -> !own.is(host))
                .map(MpiHost::login)
                .toList();
        if (!others.isEmpty()) {
            addWait(parts);
        }
        List<String> more = new ArrayList<>(job.variables().activated());
        // By it the ranks of this run are known on hosts where no launcher runs.
        more.add(RankVariables.MARKER);
        new Ranks(job, parts).start(HostLines.of(job, parts), ssh, own::is, more, Condition.IMMEDIATELY);
        if (!others.isEmpty()) {
            addStop(parts, others);
        }
        Waiting.launchers(job.request()).ifPresent(parts::launchers);
        return parts.plan(job.seat().hosts().size(), Outcome.ALL_TASKS);
    }

    /** mpirun fails at once where a host is not there. */
    private void addWait(Parts parts) {
        Duration patience = job.spec().inputTimeout();
        FileToWrite places = HostLines.places(job, own::is);
        parts.file(Scripts.AWAIT);
        List<Value> command = Parts.script(Scripts.AWAIT);
        command.addAll(ssh.client(job.spec()));
        command.addAll(List.of(
                places.path(),
                Value.of(patience.toSeconds()),
                Value.of(Messages.duration(patience) + " (--input-timeout)"),
                Value.of(hostfile.path())));
        parts.prepare("hosts", command, patience.plus(MORE));
    }

    private void addStop(Parts parts, List<String> others) {
        parts.file(Scripts.SIGNAL);
        List<Value> command = Parts.script(Scripts.SIGNAL);
        command.addAll(ssh.client(job.spec()));
        command.add(Value.of(String.join(" ", RankVariables.MARKS)));
        others.forEach(login -> command.add(Value.of(login)));
        parts.step("stop", ProcessSpec.Phase.ON_STOP, command);
    }
}
