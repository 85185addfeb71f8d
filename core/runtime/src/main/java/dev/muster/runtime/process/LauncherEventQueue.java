package dev.muster.runtime.process;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Tells a listener what concerns the whole launcher, and keeps it until there is one. */
final class LauncherEventQueue {

    private final List<Consumer<SupervisorListener>> kept = new ArrayList<>();
    private @Nullable SupervisorListener listener;
    private boolean isLost;
    /** What was ended without anybody hearing of it. */
    private final Set<Long> unheard = ConcurrentHashMap.newKeySet();

    private volatile long lastStop;

    synchronized void listen(SupervisorListener next) {
        listener = next;
        kept.forEach(event -> event.accept(next));
        kept.clear();
        if (isLost) {
            next.lost();
        }
    }

    synchronized void tell(Consumer<SupervisorListener> event) {
        if (listener == null) {
            kept.add(event);
        } else {
            event.accept(listener);
        }
    }

    /** Every later listener is told this, too. */
    synchronized void lost() {
        isLost = true;
        if (listener != null) {
            listener.lost();
        }
    }

    /** A stop is about to be ordered. */
    void ordered(long sequence) {
        lastStop = sequence;
    }

    /** A process is about to be killed. */
    void kills(long id) {
        unheard.add(id);
    }

    void heard(SupervisorMessage event) throws IOException {
        switch (event.kind()) {
            case "signal" -> {
                int number = (int) event.number("number");
                tell(listener -> listener.signalled(number));
            }
            case "leftBehind" -> leftBehind(event);
            case "hostedEnded" -> {
                long id = event.number("id");
                tell(listener -> listener.hostedRanksEnded(id));
            }
            case "killing", "remains", "stopped" -> ofStop(event);
            default -> throw new IOException("there is no event " + event.kind());
        }
    }

    private void leftBehind(SupervisorMessage event) throws IOException {
        long pid = event.number("pid");
        String name = event.text("text");
        long owner = event.number("id");
        if (!unheard.contains(owner)) {
            tell(listener -> listener.leftBehind(pid, name, owner));
        }
    }

    private void ofStop(SupervisorMessage event) throws IOException {
        long last = lastStop;
        if (event.kind().equals("killing")) {
            int count = (int) event.number("count");
            long id = event.number("id");
            tell(listener -> listener.killing(last, count, id > 0 ? List.of(id) : List.of()));
        } else if (event.kind().equals("remains")) {
            long pid = event.number("pid");
            String name = event.text("text");
            tell(listener -> listener.remains(last, pid, name));
        } else {
            long sequence = event.number("sequence");
            tell(listener -> listener.stopped(sequence));
        }
    }
}
