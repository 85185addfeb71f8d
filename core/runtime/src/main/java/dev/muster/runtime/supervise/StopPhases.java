package dev.muster.runtime.supervise;

import jakarta.inject.Inject;
import java.util.OptionalLong;

/** The phases from a known outcome until nothing of this node runs any more. Only the event loop touches it. */
final class StopPhases {

    private final Stops stops;
    private final HostedRankEnds hosted;
    private final Checkpoint checkpoint;
    private final Serving serving;
    private final CardFaults faults;
    private final Ending ending;
    private final Announcements announcements;

    @Inject
    StopPhases(
            Stops stops,
            HostedRankEnds hosted,
            Checkpoint checkpoint,
            Serving serving,
            CardFaults faults,
            Ending ending,
            Announcements announcements) {
        this.stops = stops;
        this.hosted = hosted;
        this.checkpoint = checkpoint;
        this.serving = serving;
        this.faults = faults;
        this.ending = ending;
        this.announcements = announcements;
    }

    void advance() {
        stops.advance();
        hosted.look();
    }

    boolean isHurried() {
        return stops.isHurried();
    }

    boolean isLost() {
        return stops.isLost();
    }

    boolean areDone() {
        return stops.areDone();
    }

    /** Nobody is signalled during the respite, not for another signal either. */
    Phase leaveInPeace(Phase now) {
        if (ending.leavesInPeace() && !stops.isHurried()) {
            return Phase.RESPITE;
        }
        if (now == Phase.RESPITE) {
            announcements.respiteOver();
        }
        return checkpoint.isOn(ending) && !stops.isHurried() ? Phase.CHECKPOINT : tellOthers();
    }

    /** While others are told, all but services end already. */
    private Phase tellOthers() {
        if (!faults.beginStop(ending, stops)) {
            stops.beginTasks();
        }
        return Phase.TELLING;
    }

    Phase endTasks() {
        stops.beginTelling();
        return Phase.ENDING_TASKS;
    }

    Phase serve() {
        if (serving.isOn() && !stops.isHurried()) {
            return Phase.SERVING;
        }
        stops.beginServices(ending.mayBeFollowed());
        return Phase.ENDING_SERVICES;
    }

    /** When to go on even if nothing happens. */
    OptionalLong nextLook(Phase now) {
        OptionalLong ofPhase = switch (now) {
            case RESPITE -> ending.endOfRespite();
            case CHECKPOINT -> checkpoint.nextLook();
            case SERVING -> OptionalLong.of(serving.end());
            default -> OptionalLong.empty();
        };
        return Phases.earliest(ofPhase, stops.nextLook());
    }
}
