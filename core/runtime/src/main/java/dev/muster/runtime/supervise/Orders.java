package dev.muster.runtime.supervise;

import dev.muster.runtime.conditions.ConditionWatch;
import dev.muster.runtime.link.Heard;
import dev.muster.runtime.link.JobEnd;
import jakarta.inject.Inject;

/** What follows from the words of other launchers. Only the event loop touches it. */
final class Orders {

    private final Ending ending;
    private final Parting parting;
    private final Company company;
    private final ConditionWatch conditions;
    private final HostedRankEnds hosted;
    private final Requests requests;
    private final Decisions decisions;

    @Inject
    Orders(
            Ending ending,
            Parting parting,
            Company company,
            ConditionWatch conditions,
            HostedRankEnds hosted,
            Requests requests,
            Decisions decisions) {
        this.ending = ending;
        this.parting = parting;
        this.company = company;
        this.conditions = conditions;
        this.hosted = hosted;
        this.requests = requests;
        this.decisions = decisions;
    }

    /** @param when it was heard, on the clock of all events */
    void heard(Heard heard, long when) {
        if (heard instanceof Heard.Stop stop) {
            if (stop.isDoubtful()) {
                ending.becomeDoubtful();
            }
            obey(stop.end(), when);
        } else if (heard instanceof Heard.Decided decided) {
            decided(decided, when);
        } else if (heard instanceof Heard.ProcessIs process && process.state() == Heard.State.READY) {
            conditions.ready(process.process(), when);
        } else if (heard instanceof Heard.ProcessIs process) {
            conditions.ended(process.process(), when);
        } else {
            parting.mayLeave();
        }
    }

    private void decided(Heard.Decided decided, long when) {
        parting.decided(decided, when);
        hosted.decided(decided.end());
        boolean isSuccess = decided.end().kind() == JobEnd.Kind.SUCCESS;
        if (!isSuccess || (ending.isOpen() && ending.isToldByOthers())) {
            obey(decided.end(), when);
            ending.turnOutToBe(parting.settled());
        }
    }

    /** A success of this node lasts only as long as the job has not failed. */
    private void obey(JobEnd end, long when) {
        if (ending.isOpen() || ending.isSuccess()) {
            end.grace().ifPresent(requests::setGrace);
            decisions.obey(ending.elsewhere(end), when);
        } else {
            company.heed();
        }
    }
}
