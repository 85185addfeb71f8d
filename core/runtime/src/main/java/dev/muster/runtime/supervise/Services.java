package dev.muster.runtime.supervise;

import dev.muster.runtime.conditions.ConditionWatch;
import dev.muster.spi.ProcessSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Stops services: those that are not needed any more, and in the end all. Only the event loop touches it. */
final class Services {

    private final Roster roster;
    private final Stops stops;
    private final ConditionWatch conditions;
    private final Announcements announcements;
    private final Ending ending;
    private final Events clock;

    Services(
            Roster roster,
            Stops stops,
            ConditionWatch conditions,
            Announcements announcements,
            Ending ending,
            Events clock) {
        this.roster = roster;
        this.stops = stops;
        this.conditions = conditions;
        this.announcements = announcements;
        this.ending = ending;
        this.clock = clock;
    }

    /** Whether this is a service that has nothing to do any more; it is dropped as soon as the event is there that says so. */
    boolean isNeededNoMore(Supervised process) {
        return process.spec() instanceof ProcessSpec.Service service && conditions.isMet(service.stopWhen());
    }

    /** A service that has ended already may have left processes behind, which go now too. */
    void noMoreNeeded(Supervised service) {
        if (service.isWaiting() && ending.isOpen()) {
            service.drop();
            announcements.notNeeded(service, "not starting it");
            conditions.ended(service.id(), clock.now());
        } else if (service.wasStarted() && !service.wasSignalled()) {
            if (service.isRunning() && ending.isOpen()) {
                announcements.notNeeded(service, "stopping it");
            }
            stops.begin(List.of(service), false);
        }
    }

    /** All of them, in reverse order, and whatever is left of the steps that ran before. */
    void end() {
        List<Supervised> reversed = new ArrayList<>(roster.services());
        Collections.reverse(reversed);
        reversed.addAll(roster.steps(ProcessSpec.Phase.AFTER_OUTCOME));
        if (!reversed.isEmpty()) {
            stops.begin(reversed, true);
        }
    }
}
