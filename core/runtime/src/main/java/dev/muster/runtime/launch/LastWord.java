package dev.muster.runtime.launch;

import dev.muster.runtime.conditions.Conditions;
import dev.muster.runtime.link.Heard;
import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.link.Link;
import dev.muster.runtime.link.Said;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.runs.RunCount;
import dev.muster.runtime.text.Durations;
import java.util.List;
import java.util.Optional;

/** Tells the others what only this launcher knows, and what ends the job for good: also those that come a little later. */
final class LastWord {

    private final Console console;
    private final JobLink link;

    LastWord(Console console, JobLink link) {
        this.console = console;
        this.link = link;
    }

    /**
     * The job cannot begin, or go on, here.
     *
     * @param reason for the user, masked: said at once where somebody is waited for
     * @param isLast whether a leader stays until the others have left
     * @return how the job ended; empty: nobody has said it
     */
    Optional<Heard.Decided> refused(JobEnd end, long now, boolean isLast, String reason) throws InterruptedException {
        if (!end.mayBeOfOneNode()) {
            return link.end(end, now, isLast);
        }
        return link.refuse(end, now, isLast, others -> {
            String awaited = awaited(others);
            if (!awaited.isEmpty()) {
                console.say(reason);
                stays(awaited);
            }
        });
    }

    /**
     * A run has ended here in a way that no other one follows, and the leader was lost before it knew: the others would wait for the
     * next one.
     */
    void ofLostLeader(Said.Over over, RunCount next) throws InterruptedException {
        link.again(next);
        link.refuse(over.end(), over.nanoTime(), false, others -> stays(awaited(others)));
    }

    private void stays(String awaited) {
        console.say("staying for up to " + Durations.format(link.patience().forTheLate()) + " to tell " + awaited
                + "; a signal ends that");
    }

    /** For whom this launcher waits; empty: for nobody whom it misses. */
    String awaited() {
        return awaited(link);
    }

    /** Who has not come; empty: nobody is missing. */
    private String awaited(Link others) {
        if (!others.leads()) {
            return link.leading() + ", which leads and is not there";
        }
        List<String> missing = others.report().namesOfUnseen();
        return missing.isEmpty() ? "" : "those who have not come yet: " + Conditions.list(missing);
    }
}
