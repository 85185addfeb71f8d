package dev.muster.runtime.supervise;

import dev.muster.runtime.link.JobEnd;
import dev.muster.runtime.link.LinkEvent;
import dev.muster.runtime.report.Cause;

/** Handles the messages of other launchers. Only the event loop uses it. */
record PeerCommandHandler(
        AttemptState state,
        OutcomeDecider decider,
        ExitBarrier exit,
        PeerNotifier peers,
        HostedRankTracker hosted,
        RequestHandler requests) {

    /** @param when the message arrived, on the clock of all events */
    void heard(LinkEvent heard, long when) {
        if (heard instanceof LinkEvent.Stop stop) {
            if (stop.isDoubtful()) {
                state.outcome().becomeDoubtful();
            }
            obey(stop.end(), when);
        } else if (heard instanceof LinkEvent.Decided decided) {
            decided(decided, when);
        } else if (heard instanceof LinkEvent.ProcessIs process && process.state() == LinkEvent.State.READY) {
            state.conditions().ready(process.process(), when);
        } else if (heard instanceof LinkEvent.ProcessIs process) {
            state.conditions().ended(process.process(), when);
        } else {
            exit.mayLeave();
        }
    }

    private void decided(LinkEvent.Decided decided, long when) {
        exit.decided(decided, when);
        decider.decided();
        hosted.decided(decided.end());
        boolean isSuccess = decided.end().kind() == JobEnd.Kind.SUCCESS;
        if (!isSuccess
                || (state.outcome().isOpen()
                        && state.processes().plan().outcome().followsLeader())) {
            obey(decided.end(), when);
            state.outcome().turnOutToBe(exit.settled());
        }
    }

    /** Another launcher's end overrides a success of this node. */
    private void obey(JobEnd end, long when) {
        if (state.outcome().isOpen() || state.outcome().isSuccess()) {
            end.grace().ifPresent(requests::setGrace);
            decider.obey(new Cause.Elsewhere(end), when);
        } else {
            peers.heed();
        }
    }
}
