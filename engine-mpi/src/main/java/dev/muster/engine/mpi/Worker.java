package dev.muster.engine.mpi;

import dev.muster.spi.Condition;
import dev.muster.spi.JobSpec;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Note;
import dev.muster.spi.Outcome;
import dev.muster.spi.PlanException;
import dev.muster.spi.ProcessSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A node that only serves: mpirun starts ranks on it, and node 0 tells it when the job is over. */
final class Worker {

    /**
     * For how long a worker that is stopped waits for a node 0 that has not come yet: long enough for nodes that start together,
     * short enough for a job that is being deleted as a whole.
     */
    private static final Duration TELLING = Duration.ofSeconds(5);

    private final MpiJob job;
    private final Seat seat;
    private final Duration lostAfter;
    private final Duration patience;

    private Worker(MpiJob job) {
        this.job = job;
        this.seat = job.seat();
        this.lostAfter = Options.lostAfter(job.spec());
        this.patience = job.spec().inputTimeout();
    }

    static LaunchPlan plan(MpiJob job) throws PlanException {
        return new Worker(job).plan();
    }

    private LaunchPlan plan() throws PlanException {
        Parts parts = new Parts(job.spec(), seat.index());
        parts.note(Note.info("this node is " + seat.label(seat.index()) + " of "
                + seat.hosts().size() + "; " + seat.label(0) + " runs "
                + job.launcher().word()
                + ", and the output of all ranks is there"));
        Served served = Served.of(job);
        served.addTo(parts, nobodyNeedsUs());
        parts.step(
                "stop",
                ProcessSpec.Phase.ON_STOP,
                false,
                served.ssh().tell(Words.STOP, seat.label(seat.index()), List.of(seat.first())),
                new Condition.AnyOf(List.of(
                        seat.first().isOpen(),
                        new Condition.PrivateFileReady(Words.STOP),
                        new Condition.PrivateFileReady(Words.RELEASE))),
                TELLING);
        return parts.plan(seat, new Outcome.FirstOf(cases()));
    }

    private List<Outcome.Case> cases() {
        List<Outcome.Case> cases = new ArrayList<>(released(job.spec(), seat.label(0) + " ended the job"));
        cases.add(new Outcome.Case(
                neverCame(),
                Words.TRY_AGAIN,
                Optional.empty(),
                Optional.of(seat.first().isOpen()),
                seat.label(0) + " was not there within " + Messages.duration(patience)
                        + " (--input-timeout). See on its node why, or give it more time"));
        cases.add(new Outcome.Case(
                isLost(),
                Words.TRY_AGAIN,
                seat.label(0) + " is lost: its sshd has not answered for " + Messages.duration(lostAfter) + " (-o "
                        + Options.LOST_AFTER
                        + ") and it did not say how the job ended. See on its node what happened"));
        return cases;
    }

    /** What a node ends with when another one says that the job is over. */
    static List<Outcome.Case> released(JobSpec job, String reason) {
        boolean isAlwaysZero = job.option(Options.WORKER_EXIT)
                .filter(wanted -> wanted.value().equals(Options.WORKER_EXIT_ZERO))
                .isPresent();
        List<Outcome.Case> cases = new ArrayList<>();
        for (String word : List.of(Words.RELEASE, Words.STOP)) {
            cases.add(
                    isAlwaysZero
                            ? new Outcome.Case(
                                    new Condition.PrivateFileReady(word), 0, reason + " (-o worker-exit=zero)")
                            : Words.told(word, reason));
        }
        return cases;
    }

    /** While ranks of other nodes may still run, mpirun needs its daemon here; that is over when node 0 says so or is gone. */
    private Condition nobodyNeedsUs() {
        return new Condition.AnyOf(List.of(
                new Condition.PrivateFileReady(Words.RELEASE),
                new Condition.PrivateFileReady(Words.UNHEARD),
                neverCame(),
                isLost()));
    }

    private Condition neverCame() {
        return new Condition.Before(
                new Condition.Elapsed(patience), seat.first().isOpen());
    }

    private Condition isLost() {
        return Words.gone(seat.first(), lostAfter);
    }
}
