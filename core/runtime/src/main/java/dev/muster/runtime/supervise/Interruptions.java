package dev.muster.runtime.supervise;

import dev.muster.runtime.process.ProcessSupervisor.SignalScope;
import jakarta.inject.Inject;

/** The signals that the launcher gets. Only the event loop touches it. */
final class Interruptions {

    private final Ending ending;
    private final Roster roster;
    private final Parting parting;
    private final Stops stops;
    private final Decisions decisions;
    private final Announcements announcements;
    private final Effects effects;
    private int interrupts;

    @Inject
    Interruptions(
            Ending ending,
            Roster roster,
            Parting parting,
            Stops stops,
            Decisions decisions,
            Announcements announcements,
            Effects effects) {
        this.ending = ending;
        this.roster = roster;
        this.parting = parting;
        this.stops = stops;
        this.decisions = decisions;
        this.announcements = announcements;
        this.effects = effects;
    }

    /** SIGUSR1 and SIGUSR2 are for the ranks; all others stop the job, and a second SIGINT ends the grace period. */
    void signalled(Event.SignalReceived signal) {
        if (signal.signal().startsWith("USR")) {
            roster.tasks().stream()
                    .filter(Supervised::isRunning)
                    .forEach(task -> effects.signal(task.processId(), signal.number(), SignalScope.LEADER));
            return;
        }
        decisions.settle();
        interrupts += signal.signal().equals("INT") ? 1 : 0;
        parting.signalled();
        ending.signalled();
        if (ending.isOpen() || (ending.isSuccess() && parting.isForOthers())) {
            decisions.interrupted(signal);
        } else if (signal.signal().equals("INT") && interrupts >= 2) {
            announcements.impatient();
            stops.hurry();
            parting.hurry();
        } else {
            announcements.alreadyStopping(signal.signal());
        }
    }
}
