package dev.muster.runtime.link;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What this launcher's own part hears: everything once, and nothing that it needs no more. */
final class OwnEvents {

    private List<Heard> events = new ArrayList<>();
    private final Set<Heard.ProcessIs> processes = new HashSet<>();
    /** What stopped it, as far as it knows. */
    private Optional<JobEnd> cause = Optional.empty();

    private boolean isDecided;
    private boolean isReleased;

    /** It stops already, for a cause of its own. */
    void hasOwnCause(JobEnd end) {
        cause = cause.or(() -> Optional.of(end));
    }

    boolean isStopped() {
        return cause.isPresent();
    }

    /** What stopped it, as far as it knows. */
    Optional<JobEnd> cause() {
        return cause;
    }

    boolean isDecided() {
        return isDecided;
    }

    boolean isReleased() {
        return isReleased;
    }

    void hear(Heard event) {
        if (event instanceof Heard.Stop stop) {
            stop(stop);
        } else if (event instanceof Heard.Decided decided) {
            decided(decided);
        } else if (event instanceof Heard.ProcessIs process) {
            process(process);
        } else if (!(event instanceof Heard.MayLeave)) {
            events.add(event);
        } else if (!isReleased) {
            isReleased = true;
            events.add(event);
        }
    }

    private void stop(Heard.Stop stop) {
        if (!isStopped() && !isReleased) {
            cause = Optional.of(stop.end());
            events.add(stop);
        }
    }

    private void decided(Heard.Decided decided) {
        if (isDecided || isReleased) {
            return;
        }
        if (decided.end().kind() != JobEnd.Kind.SUCCESS) {
            stop(new Heard.Stop(decided.end()));
        }
        isDecided = true;
        events.add(decided);
    }

    private void process(Heard.ProcessIs process) {
        boolean hasEnded = processes.contains(new Heard.ProcessIs(process.process(), Heard.State.ENDED));
        if (!hasEnded && processes.add(process) && !isReleased) {
            events.add(process);
        }
    }

    List<Heard> drain() {
        if (events.isEmpty()) {
            return List.of();
        }
        List<Heard> drained = events;
        events = new ArrayList<>();
        return drained;
    }
}
