package dev.muster.runtime.link;

import java.util.List;
import java.util.Optional;

/** What a leader tells its members beside what their own parts hear as it is ({@link LinkEvent}). */
sealed interface LeaderMessage {

    /** All are ready: see {@link LinkEvent.Begin}. */
    record Start(int number) implements LeaderMessage {}

    /** Launchers that wait for something before they can make their plans, the first few of them. */
    record Waiting(List<Waiter> waiters) implements LeaderMessage {}

    /** The leader leaves; nothing more will be said. */
    record Goodbye() implements LeaderMessage {}

    /** A launcher that waits. */
    record Waiter(String launcher, Optional<String> host, String what) {}
}
