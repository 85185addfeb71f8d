package dev.muster.runtime.link;

import java.util.List;
import java.util.Optional;

/** What a launcher hears when it has given the link up: its own part is the job. */
final class UnlinkedLauncher {

    private final boolean leads;
    private final String own;
    /** Of this launcher's part. */
    private Optional<JobEnd> cause = Optional.empty();

    private boolean isDecided;
    private boolean mayLeave;

    /** @param own what it is called */
    UnlinkedLauncher(boolean leads, String own) {
        this.leads = leads;
        this.own = own;
    }

    /** This has been heard already, while there was a link. */
    void heard(Heard heard) {
        isDecided |= heard instanceof Heard.Decided;
        mayLeave |= heard instanceof Heard.MayLeave;
    }

    /** What follows from what the launcher says, or has said. */
    List<Heard> say(Said said) {
        if (said instanceof Said.Over over) {
            cause = Optional.of(over.end());
        }
        boolean isForGood = said instanceof Said.Heeded || (said instanceof Said.Over over && !over.isConsequence());
        if (isForGood && cause.isPresent() && !isDecided) {
            isDecided = true;
            return List.of(new Heard.Decided(cause.get()));
        }
        if (said instanceof Said.Succeeded && !mayLeave) {
            mayLeave = true;
            boolean isNews = leads && !isDecided;
            isDecided = true;
            JobEnd success = JobEnd.of(JobEnd.Kind.SUCCESS, own, Optional.empty(), 0, "");
            return isNews ? List.of(new Heard.Decided(success), new Heard.MayLeave()) : List.of(new Heard.MayLeave());
        }
        return List.of();
    }

    /** What follows when the job cannot do without the link. */
    List<Heard> end(JobEnd end) {
        if (isDecided) {
            return List.of();
        }
        isDecided = true;
        return List.of(new Heard.Stop(end), new Heard.Decided(end));
    }
}
