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
import java.util.stream.IntStream;

/** The hosts of a given hostfile serve ssh already, and this launcher is the only one of the job that starts ranks. */
final class ServedHosts {

    /** By it the ranks of this run are known on hosts where no launcher runs. */
    private static final String MARKER = "MUSTER_JOB";

    private final MpiJob job;
    private final Hostfile hostfile;
    private final Ssh ssh;
    private final OwnHost own;
    private final Optional<Meeting> meeting;

    private ServedHosts(MpiJob job, Hostfile hostfile, Ssh ssh) throws PlanException {
        this.job = job;
        this.hostfile = hostfile;
        this.ssh = ssh;
        this.own = OwnHost.of(job.request());
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
        job.seat().hosts().stream()
                .filter(own::is)
                .forEach(host -> parts.note(Note.info("host " + host.name() + " is this one, which needs no ssh")));
        job.notes().forEach(parts::note);
        parts.files(ssh.files());
        parts.files(List.of(Scripts.SIGNAL));
        List<String> more = new ArrayList<>(job.variables().activated());
        more.add(MARKER);
        new Ranks(job, parts).start(HostLines.of(job, parts), ssh, own::is, more, startWhen());
        if (!others().isEmpty()) {
            parts.step("stop", ProcessSpec.Phase.ON_STOP, false, signal());
        }
        meeting.ifPresent(waiting -> {
            waiting.addTo(parts);
            waiting.addRelease(parts);
        });
        return parts.plan(job.seat(), new Outcome.FirstOf(cases()));
    }

    private List<Value> signal() {
        List<Value> command = Ssh.script(Scripts.SIGNAL);
        command.addAll(ssh.client());
        others().forEach(number -> command.add(Value.of(host(number).login())));
        return command;
    }

    /** The numbers of the hosts that this is not. */
    private List<Integer> others() {
        return IntStream.range(0, job.seat().hosts().size())
                .filter(number -> !own.is(host(number)))
                .boxed()
                .toList();
    }

    private MpiHost host(int number) {
        return job.seat().hosts().get(number);
    }

    private Condition startWhen() {
        return others().isEmpty() ? Condition.IMMEDIATELY : allLetUsIn();
    }

    private Condition allLetUsIn() {
        return new Condition.AllOf(others().stream()
                .map(number -> ssh.letsUsIn(host(number), number))
                .toList());
    }

    private List<Outcome.Case> cases() {
        List<Outcome.Case> cases = new ArrayList<>(List.of(Ranks.haveEnded()));
        if (meeting.isPresent()) {
            cases.add(Words.told(Words.STOP, "another node ended the job"));
        }
        if (others().isEmpty()) {
            return cases;
        }
        Duration patience = job.spec().inputTimeout();
        Condition all = allLetUsIn();
        others().forEach(number -> cases.add(somebodyElse(number)));
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
