package dev.muster.runtime.process;

import dev.muster.runtime.process.ProcessSupervisor.StopOrder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Tells a listener what concerns the whole launcher, and keeps it until there is one. */
final class LauncherEventQueue {

    private final List<Consumer<SupervisorListener>> kept = new ArrayList<>();
    private @Nullable SupervisorListener listener;
    private boolean isLost;
    private final AtomicLong sequences = new AtomicLong();
    /** The sequence numbers of stops that somebody wants to hear of, by ours. */
    private final Map<Long, Long> heardStops = new ConcurrentHashMap<>();
    /** What was ended without anybody hearing of it. */
    private final Set<Long> unheard = ConcurrentHashMap.newKeySet();

    private volatile long lastHeardStop;

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

    /** A stop is about to be ordered; gives the number by which the supervisor knows it. */
    long isOrdered(StopOrder order) {
        long sequence = sequences.incrementAndGet();
        if (order.sequence() == StopOrder.UNHEARD) {
            unheard.addAll(order.only());
        } else {
            heardStops.put(sequence, order.sequence());
            lastHeardStop = sequence;
        }
        return sequence;
    }

    void heard(EventRecord event) throws IOException {
        switch (event.kind()) {
            case SIGNAL -> {
                int number = (int) event.number("number");
                long sender = event.number("sender");
                tell(listener -> listener.signalled(number, sender));
            }
            case LEFT_BEHIND -> leftBehind(event);
            case HOSTED_ENDED -> {
                long id = event.number("id");
                tell(listener -> listener.hostedRanksEnded(id));
            }
            case REQUEST -> requested(event);
            default -> ofStop(event);
        }
    }

    private void leftBehind(EventRecord event) throws IOException {
        long pid = event.number("pid");
        String name = event.text("text");
        long owner = event.number("id");
        if (!unheard.contains(owner)) {
            tell(listener -> listener.leftBehind(pid, name, owner));
        }
    }

    private void requested(EventRecord event) throws IOException {
        long connection = event.number("connection");
        String line = event.text("text");
        long pid = event.number("pid");
        long user = event.number("user");
        tell(listener -> listener.requested(connection, line, pid, user));
    }

    private void ofStop(EventRecord event) throws IOException {
        long ours = event.find("sequence").isPresent() ? event.number("sequence") : lastHeardStop;
        Optional<Long> sequence = Optional.ofNullable(heardStops.get(ours));
        if (sequence.isPresent()) {
            ofStop(event, sequence.get());
        }
    }

    private void ofStop(EventRecord event, long sequence) throws IOException {
        if (event.kind() == EventKind.KILLING) {
            int count = (int) event.number("count");
            long id = event.number("id");
            tell(listener -> listener.killing(sequence, count, id > 0 ? List.of(id) : List.of()));
        } else if (event.kind() == EventKind.REMAINS) {
            long pid = event.number("pid");
            String name = event.text("text");
            tell(listener -> listener.remains(sequence, pid, name));
        } else {
            tell(listener -> listener.stopped(sequence));
        }
    }
}
