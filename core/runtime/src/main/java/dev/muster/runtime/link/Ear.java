package dev.muster.runtime.link;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What this launcher's own part hears: everything once, and nothing that it needs no more. */
final class Ear {

    private List<Heard> heard = new ArrayList<>();
    private final Set<String> ready = new HashSet<>();
    private final Set<String> ended = new HashSet<>();
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

    void stop(Heard.Stop stop) {
        if (!isStopped() && !isReleased) {
            cause = Optional.of(stop.end());
            heard.add(stop);
        }
    }

    void decided(JobEnd end, long nanoTime) {
        if (isDecided || isReleased) {
            return;
        }
        if (end.kind() != JobEnd.Kind.SUCCESS) {
            stop(new Heard.Stop(end, nanoTime));
        }
        isDecided = true;
        heard.add(new Heard.Decided(end));
    }

    void processIs(String process, Heard.State state, long nanoTime) {
        boolean isNews =
                state == Heard.State.ENDED ? ended.add(process) : !ended.contains(process) && ready.add(process);
        if (isNews && !isReleased) {
            heard.add(new Heard.ProcessIs(process, state, nanoTime));
        }
    }

    void complete(Order.Complete all) {
        heard.add(new Heard.Complete(all.number(), all.used(), new HashSet<>(all.replaced())));
    }

    void begin(Heard.Begin begin) {
        heard.add(begin);
    }

    void leftBehind() {
        heard.add(new Heard.LeftBehind());
    }

    void mayLeave() {
        if (!isReleased) {
            isReleased = true;
            heard.add(new Heard.MayLeave());
        }
    }

    List<Heard> drain() {
        if (heard.isEmpty()) {
            return List.of();
        }
        List<Heard> drained = heard;
        heard = new ArrayList<>();
        return drained;
    }
}
