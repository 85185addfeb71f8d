package dev.muster.runtime.supervise;

import dev.muster.runtime.conditions.Conditions;
import dev.muster.runtime.link.Heard;
import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.link.Link;
import dev.muster.runtime.link.LinkReport;
import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.JobReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/**
 * What a launcher waits for when nothing of its node runs any more: how the job ended, and that nobody needs it. Only the event
 * loop touches it.
 */
final class Parting {

    /** How long the others may take to say how the job ended. */
    private static final long FOR_THE_DECISION = Duration.ofSeconds(2).toNanos();
    /** How much longer than the grace of their processes the others may take to leave. */
    private static final long BEYOND_THE_GRACE = Duration.ofSeconds(5).toNanos();

    private static final long FIRST_REMINDER = Duration.ofSeconds(5).toNanos();
    private static final long REMINDERS = Duration.ofSeconds(30).toNanos();

    private final Others others;
    private final Link link;
    private final Company company;
    private final long limit;
    private final Events clock;
    private final Consumer<String> say;
    private Optional<Heard.Decided> decided = Optional.empty();
    private long decidedAt;
    private boolean mayLeave;
    private boolean isSignalled;
    private boolean isHurried;
    private OptionalLong nextReminder = OptionalLong.empty();
    private String lastReminder = "";

    /** @param times of a stop; the same on all nodes */
    Parting(Others others, Company company, StopTimes times, Events clock, Consumer<String> say) {
        this.others = others;
        this.link = others.link();
        this.company = company;
        this.limit = times.grace().toNanos() + BEYOND_THE_GRACE;
        this.clock = clock;
        this.say = say;
    }

    /** How the whole job ended. */
    void decided(Heard.Decided end, long when) {
        decided = Optional.of(end);
        decidedAt = when;
    }

    /** Nobody needs this launcher any more. */
    void mayLeave() {
        mayLeave = true;
    }

    /** Whoever stays only for the platform's sake need not. */
    void signalled() {
        isSignalled = true;
    }

    /** Others may still run when this node has succeeded, and a stop of this launcher is one of theirs. */
    boolean isForOthers() {
        return link.leads();
    }

    /** Waits for nobody. */
    void hurry() {
        isHurried = true;
    }

    /** The cause for the verdict: the job's, where it began elsewhere. */
    Cause settled(Ending ending) {
        Cause own = ending.cause();
        if (decided.isEmpty() || ending.isSuccess() || company.isOurMatterOnly(own)) {
            return own;
        }
        JobEnd end = decided.get().end();
        boolean isSameSignal = own instanceof Cause.Interrupted interrupted
                && end.kind() == JobEnd.Kind.STOPPED
                && end.signal().orElse(0) == interrupted.number();
        boolean isOurs = isOwn(end) && end.kind() != JobEnd.Kind.LOST && !ending.isElsewhere() && !ending.isOfTheJob();
        return isOurs || isSameSignal ? own : ending.elsewhere(end);
    }

    /** Whether the launcher may end. */
    boolean isOver(Ending ending) {
        if (!link.isUsed()) {
            return true;
        }
        if (company.isOurMatterOnly(ending.cause())) {
            company.leaveAlone();
            return true;
        }
        boolean isOver = isHurried || isFree(ending) || end(ending).stream().anyMatch(time -> clock.now() - time >= 0);
        if (!isOver && link.leads()) {
            remind(ending);
        }
        return isOver;
    }

    /** When {@link #isOver} must be asked again even if nothing happens. */
    OptionalLong nextLook(Ending ending) {
        return LongStream.concat(end(ending).stream(), nextReminder.stream()).min();
    }

    /** What the others have told. */
    JobReport report(long now) {
        List<JobEnd> sameTime = decided.stream()
                .flatMap(end -> end.sameTime().stream())
                .filter(end -> !isOwn(end))
                .toList();
        return new JobReport(link.own(), decided.map(Heard.Decided::end), sameTime, link.report(), now);
    }

    private boolean isFree(Ending ending) {
        if (stays(ending)) {
            return isSignalled;
        }
        if (ending.isSuccess() && !ending.isElsewhere()) {
            return mayLeave || (!link.leads() && (isSignalled || decided.isPresent()));
        }
        return decided.isPresent()
                && (mayLeave || !link.leads() || others.staysFor().isPresent());
    }

    /** How long it waits at most. */
    private OptionalLong end(Ending ending) {
        if (stays(ending)) {
            return OptionalLong.of(ending.since() + others.staysFor().get().toNanos());
        }
        if (decided.isPresent()) {
            return OptionalLong.of(decidedAt + limit);
        }
        return ending.isSuccess() ? OptionalLong.empty() : OptionalLong.of(ending.knownSince() + FOR_THE_DECISION);
    }

    /** Pods of a job that all fail together are not replaced on some platforms. */
    private boolean stays(Ending ending) {
        return others.staysFor().isPresent() && ending.isElsewhere() && !ending.isSuccess() && !ending.isAskedFor();
    }

    private void remind(Ending ending) {
        long now = clock.now();
        if (nextReminder.isEmpty()) {
            nextReminder = OptionalLong.of(now + FIRST_REMINDER);
        } else if (now - nextReminder.getAsLong() >= 0) {
            nextReminder = OptionalLong.of(now + REMINDERS);
            String text = (ending.isSuccess() ? "this node has succeeded; waiting for " : "waiting for the end of ")
                    + awaited();
            if (!text.equals(lastReminder)) {
                say.accept(text);
                lastReminder = text;
            }
        }
    }

    private String awaited() {
        List<String> running = new ArrayList<>();
        for (LinkReport.NodeEnd node : link.report().nodes()) {
            if (node.state().equals("running") && !Optional.of(node.launcher()).equals(link.own())) {
                running.add(JobEnd.where(node.launcher(), node.host()));
            }
        }
        return running.isEmpty() ? "the other nodes" : Conditions.list(running);
    }

    private boolean isOwn(JobEnd end) {
        return link.own().equals(Optional.of(end.launcher()));
    }
}
