package dev.muster.engine.mpi;

import dev.muster.spi.Condition;
import dev.muster.spi.JobSpec;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Node;
import dev.muster.spi.Note;
import dev.muster.spi.Outcome;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A node whose platform serves ssh, and runs the job's command on every node: the ranks are started by the launcher on node 0, and this
 * one waits for its word.
 */
final class Waiting {

    /** For how long a launcher that is stopped waits for a node 0 that has not come yet, as {@link Worker} does. */
    private static final Duration TELLING = Duration.ofSeconds(5);

    private Waiting() {}

    /** A container of another role than those with ranks has no index among these. */
    static boolean isMeant(JobSpec job, Node node) {
        boolean isAside =
                node.index().isEmpty() && node.count().isEmpty() && node.role().isPresent();
        return Sshd.of(job) == Sshd.NONE
                && Meeting.isAll(job)
                && (isAside || node.index().orElse(0) > 0);
    }

    static LaunchPlan plan(PlanRequest request) throws PlanException {
        JobSpec job = request.job();
        Meeting meeting = Meeting.find(request)
                .orElseThrow(
                        () -> Refusal.configuration("this node waits for the launcher on node 0, but nobody says where"
                                + " node 0 is. Give --hosts A,B,... as ssh knows them, or -o " + Options.LAUNCHERS + "="
                                + Options.LAUNCHERS_ONE + " where Muster runs on one node only"));
        Parts parts = new Parts(job, meeting.own());
        parts.note(Note.info("this is " + meeting.hosts().get(meeting.own()).name() + "; "
                + meeting.first().name() + " starts the ranks, and this launcher waits for its end"));
        Duration lostAfter = Options.lostAfter(job);
        meeting.addTo(parts);
        meeting.addWatch(parts, lostAfter);
        meeting.addStop(parts, TELLING);
        int nodes = Math.max(1, request.node().hosts().size());
        return parts.plan(new Seat(meeting.hosts(), meeting.own()), new Outcome.FirstOf(cases(job, meeting, parts)))
                .over(nodes);
    }

    private static List<Outcome.Case> cases(JobSpec job, Meeting meeting, Parts parts) {
        String first = meeting.first().name();
        List<Outcome.Case> cases = new ArrayList<>(Worker.released(job, first + " ended the job"));
        Duration patience = job.inputTimeout();
        cases.add(new Outcome.Case(
                new Condition.Before(new Condition.Elapsed(patience), new Condition.PrivateFileReady(Meeting.CAME)),
                Words.TRY_AGAIN,
                "no launcher of this job was on " + first + " within " + Messages.duration(patience)
                        + " (--input-timeout). See there why, and what ssh says in " + parts.log("watch")));
        cases.add(new Outcome.Case(
                new Condition.PrivateFileReady(Meeting.LOST),
                Words.TRY_AGAIN,
                first + " is lost: its launcher has not been there for " + Messages.duration(Options.lostAfter(job))
                        + " (-o " + Options.LOST_AFTER
                        + ") and it did not say how the job ended. See there what happened"));
        return cases;
    }
}
