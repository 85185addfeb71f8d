package dev.muster.engine.mpi;

import dev.muster.spi.Condition;
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

    /** By it the ranks of this run are known on hosts where no launcher runs. */
    private static final String MARKER = "MUSTER_JOB";

    private final MpiJob job;
    private final Hostfile hostfile;
    private final Ssh ssh;
    private final Optional<Meeting> meeting;

    private ServedHosts(MpiJob job, Hostfile hostfile, Ssh ssh) throws PlanException {
        this.job = job;
        this.hostfile = hostfile;
        this.ssh = ssh;
        this.meeting = Meeting.find(job.request());
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
        meeting.ifPresent(others -> {
            others.addTo(parts);
            others.addRelease(parts);
        });
        return parts.plan(job.seat(), new Outcome.FirstOf(cases()));
    }

    private List<Value> signal() {
        List<Value> command = Ssh.script(Scripts.SIGNAL);
        command.addAll(ssh.client());
        job.seat().hosts().forEach(host -> command.add(Value.of(host.login())));
        return command;
    }

    private Condition allLetUsIn() {
        List<Condition> parts = new ArrayList<>();
        for (int i = 0; i < job.seat().hosts().size(); i++) {
            parts.add(ssh.letsUsIn(job.seat().hosts().get(i), i));
        }
        return new Condition.AllOf(parts);
    }

    private List<Outcome.Case> cases() {
        Duration patience = job.spec().inputTimeout();
        Condition all = allLetUsIn();
        List<Outcome.Case> cases = new ArrayList<>();
        cases.add(Ranks.haveEnded());
        if (meeting.isPresent()) {
            cases.add(Words.told(Words.STOP, "another node ended the job"));
        }
        for (int i = 0; i < job.seat().hosts().size(); i++) {
            cases.add(somebodyElse(i));
        }
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
        MpiHost host = job.seat().hosts().get(node);
        return new Outcome.Case(
                ssh.isSomebodyElse(host, node),
                Words.TRY_AGAIN,
                "host " + host.name() + " of " + hostfile.path()
                        + " does not have the key that ssh expects of it. Add its"
                        + " key to ~/.ssh/known_hosts, or see with \"ssh " + host.login() + " true\" what ssh wants");
    }
}
