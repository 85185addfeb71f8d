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
    void handle(LinkEvent heard, long when) {
        if (heard instanceof LinkEvent.Stop stop) {
            if (stop.isDoubtful()) {
                state.outcome().markDoubtful();
            }
            handleEnd(stop.end(), when);
        } else if (heard instanceof LinkEvent.Decided decided) {
            onDecided(decided, when);
        } else if (heard instanceof LinkEvent.ProcessIs process && process.state() == LinkEvent.State.READY) {
            state.conditions().ready(process.process(), when);
        } else if (heard instanceof LinkEvent.ProcessIs process) {
            state.conditions().ended(process.process(), when);
        } else {
            exit.allowExit();
        }
    }

    private void onDecided(LinkEvent.Decided decided, long when) {
        exit.onDecided(decided, when);
        decider.onDecided();
        hosted.onDecided(decided.end());
        boolean isSuccess = decided.end().kind() == JobEnd.Kind.SUCCESS;
        if (!isSuccess
                || (state.outcome().isOpen()
                        && state.processes().plan().outcome().followsLeader())) {
            handleEnd(decided.end(), when);
            state.outcome().replaceCause(exit.finalCause());
        }
    }

    /** Another launcher's end overrides a success of this node. */
    private void handleEnd(JobEnd end, long when) {
        if (state.outcome().isOpen() || state.outcome().isSuccess()) {
            end.grace().ifPresent(requests::setGrace);
            decider.endElsewhere(new Cause.Elsewhere(end), when);
        } else {
            peers.confirmStop();
        }
    }
}
