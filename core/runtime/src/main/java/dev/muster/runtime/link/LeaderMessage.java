package dev.muster.runtime.link;

import java.util.List;
import java.util.Optional;

/** Messages from the leader to its members, in addition to {@link LinkEvent}s. */
sealed interface LeaderMessage {

    /** All launchers are ready: see {@link LinkEvent.Begin}. */
    record Start(int number) implements LeaderMessage {}

    /** The first few launchers that wait for something before they can plan. */
    record Waiting(List<Waiter> waiters) implements LeaderMessage {}

    /** The leader leaves. It sends nothing more. */
    record Goodbye() implements LeaderMessage {}

    /** A launcher that waits. */
    record Waiter(String launcher, Optional<String> host, String what) {}
}
