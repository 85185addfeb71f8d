package dev.muster.engine.mpi;

import dev.muster.spi.Condition;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Note;
import dev.muster.spi.Outcome;
import dev.muster.spi.PlanException;
import dev.muster.spi.ProcessSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The node that runs mpirun, and tells the others how the job ended. */
final class NodeZero {

    private final MpiJob job;
    private final Served served;
    private final Duration lostAfter;

    private NodeZero(MpiJob job, Served served) {
        this.job = job;
        this.served = served;
        this.lostAfter = Options.lostAfter(job.spec());
    }

    static LaunchPlan plan(MpiJob job) throws PlanException {
        return new NodeZero(job, Served.of(job)).plan();
    }

    private LaunchPlan plan() {
        Parts parts = new Parts(job.spec(), job.seat().index());
        parts.note(Note.info("this node is " + job.seat().label(0) + " of "
                + job.seat().hosts().size() + " and runs " + job.launcher().word()));
        job.notes().forEach(parts::note);
        served.addTo(parts, Condition.IMMEDIATELY);
        new Ranks(job, parts).start(HostLines.of(job, parts), served.ssh(), host -> false, List.of(), allLetUsIn());
        List<MpiHost> others = job.seat().others();
        parts.step(
                "stop",
                ProcessSpec.Phase.ON_STOP,
                false,
                served.ssh().tell(Words.STOP, job.seat().label(0), others));
        parts.step(
                "release",
                ProcessSpec.Phase.AFTER_OUTCOME,
                false,
                served.ssh().tell(Words.RELEASE, job.seat().label(0), others));
        // Every node that needed it has its own copy, which goes with its run.
        served.sshd()
                .key()
                .filter(KeySource::isMade)
                .ifPresent(key -> parts.step(
                        "key-removal",
                        ProcessSpec.Phase.AFTER_OUTCOME,
                        false,
                        Launch.literally(List.of("rm", "-f", "--", key.file()))));
        return parts.plan(job.seat(), new Outcome.FirstOf(cases()));
    }

    private Condition allLetUsIn() {
        List<Condition> parts = new ArrayList<>();
        parts.add(job.seat().first().isOpen());
        for (int i = 1; i < job.seat().hosts().size(); i++) {
            parts.add(served.ssh().letsUsIn(job.seat().hosts().get(i), i));
        }
        return new Condition.AllOf(parts);
    }

    private List<Outcome.Case> cases() {
        List<Outcome.Case> cases = new ArrayList<>();
        cases.add(Ranks.haveEnded());
        cases.add(Words.told(Words.STOP, "another node ended the job"));
        for (int i = 1; i < job.seat().hosts().size(); i++) {
            cases.add(somebodyElse(i));
        }
        Duration patience = job.spec().inputTimeout();
        Condition all = allLetUsIn();
        cases.add(new Outcome.Case(
                new Condition.Before(new Condition.Elapsed(patience), all),
                Words.TRY_AGAIN,
                Optional.empty(),
                Optional.of(all),
                "not all hosts were there within " + Messages.duration(patience)
                        + " (--input-timeout). See on their nodes why, or give them more time"));
        for (int i = 1; i < job.seat().hosts().size(); i++) {
            cases.add(lost(i));
        }
        return cases;
    }

    private Outcome.Case somebodyElse(int node) {
        return new Outcome.Case(
                served.ssh().isSomebodyElse(job.seat().hosts().get(node), node),
                Words.TRY_AGAIN,
                job.seat().label(node) + " has another key than this job's: not the job's sshd answers on port "
                        + job.seat().hosts().get(node).port()
                        + ", or the nodes have different keys in ~/.ssh or -o " + Options.SSH_KEY);
    }

    private Outcome.Case lost(int node) {
        MpiHost host = job.seat().hosts().get(node);
        return new Outcome.Case(
                new Condition.Before(Words.gone(host, lostAfter), Ranks.END),
                Words.TRY_AGAIN,
                job.seat().label(node) + " is lost: its sshd has not answered for " + Messages.duration(lostAfter)
                        + " (-o " + Options.LOST_AFTER + "). See on its node what happened");
    }
}
