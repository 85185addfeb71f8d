package dev.muster.runtime.process;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Passes events about the whole launcher to a listener, and keeps them until there is one. */
final class LauncherEventQueue {

    private final List<SupervisorEvent> kept = new ArrayList<>();
    private @Nullable Consumer<SupervisorEvent> listener;
    /** Processes that {@link ProcessSupervisor#kill} ended. Their orphans are not reported. */
    private final Set<Long> muted = ConcurrentHashMap.newKeySet();

    synchronized void listen(Consumer<SupervisorEvent> next) {
        listener = next;
        kept.forEach(next);
        kept.clear();
    }

    synchronized void pass(SupervisorEvent event) {
        if (listener == null) {
            kept.add(event);
        } else {
            listener.accept(event);
        }
    }

    /** A process is about to be killed without a report. */
    void mute(long id) {
        muted.add(id);
    }

    void handle(SupervisorMessage told) throws IOException {
        SupervisorEvent event = switch (told.kind()) {
            case "signal" -> new SupervisorEvent.Signalled((int) told.number("number"));
            case "leftBehind" ->
                new SupervisorEvent.LeftBehind(told.number("pid"), told.text("text"), told.number("id"));
            case "hostedEnded" -> new SupervisorEvent.HostedRanksEnded(told.number("id"));
            case "killing" ->
                new SupervisorEvent.Killing(told.number("sequence"), (int) told.number("count"), told.number("id"));
            case "remains" ->
                new SupervisorEvent.StillRunning(told.number("sequence"), told.number("pid"), told.text("text"));
            case "stopped" -> new SupervisorEvent.Stopped(told.number("sequence"));
            default -> throw new IOException("there is no event " + told.kind());
        };
        boolean isUnheard = event instanceof SupervisorEvent.LeftBehind left && muted.contains(left.owner());
        if (!isUnheard) {
            pass(event);
        }
    }
}
