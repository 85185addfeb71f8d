package dev.muster.runtime.link;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The events for this launcher's own part. Each comes once, and only while it is still needed. */
final class LinkEventQueue {

    private List<LinkEvent> events = new ArrayList<>();
    private final Set<LinkEvent.ProcessIs> processes = new HashSet<>();
    /** The cause that stopped this part, as far as it is known. */
    private Optional<JobEnd> cause = Optional.empty();

    private boolean isDecided;
    private boolean isReleased;

    /** This part already stops, for a cause of its own. */
    void setOwnCause(JobEnd end) {
        cause = cause.or(() -> Optional.of(end));
    }

    /** The cause that stopped this part, as far as it is known. */
    Optional<JobEnd> cause() {
        return cause;
    }

    boolean isDecided() {
        return isDecided;
    }

    boolean isReleased() {
        return isReleased;
    }

    void add(LinkEvent event) {
        if (event instanceof LinkEvent.Stop stop) {
            addStop(stop);
        } else if (event instanceof LinkEvent.Decided decided) {
            addDecided(decided);
        } else if (event instanceof LinkEvent.ProcessIs process) {
            addProcess(process);
        } else if (!(event instanceof LinkEvent.MayLeave)) {
            events.add(event);
        } else if (!isReleased) {
            isReleased = true;
            events.add(event);
        }
    }

    private void addStop(LinkEvent.Stop stop) {
        if (cause.isEmpty() && !isReleased) {
            cause = Optional.of(stop.end());
            events.add(stop);
        }
    }

    private void addDecided(LinkEvent.Decided decided) {
        if (isDecided || isReleased) {
            return;
        }
        if (decided.end().kind() != JobEnd.Kind.SUCCESS) {
            addStop(new LinkEvent.Stop(decided.end()));
        }
        isDecided = true;
        events.add(decided);
    }

    private void addProcess(LinkEvent.ProcessIs process) {
        boolean hasEnded = processes.contains(new LinkEvent.ProcessIs(process.process(), LinkEvent.State.ENDED));
        if (!hasEnded && processes.add(process) && !isReleased) {
            events.add(process);
        }
    }

    List<LinkEvent> drain() {
        if (events.isEmpty()) {
            return List.of();
        }
        List<LinkEvent> drained = events;
        events = new ArrayList<>();
        return drained;
    }
}
