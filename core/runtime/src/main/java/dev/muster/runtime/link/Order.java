package dev.muster.runtime.link;

import java.util.List;
import java.util.Optional;

/** What a leader tells its members. Names launchers itself, so that it may pass through another. Times are on the teller's clock. */
sealed interface Order {

    /** See {@link Heard.Stop}. */
    record Stop(JobEnd end, long nanoTime) implements Order {}

    /** See {@link Heard.Decided}. */
    record Decided(JobEnd end, List<JobEnd> sameTime) implements Order {
        public Decided {
            sameTime = List.copyOf(sameTime);
        }
    }

    /** See {@link Heard.ProcessIs}. */
    record ProcessIs(String process, Heard.State state, long nanoTime) implements Order {}

    /** See {@link Heard.MayLeave}. */
    record MayLeave() implements Order {}

    /** Launchers that wait for something before they can make their plans, the first few of them. */
    record Waiting(List<Waiter> waiters) implements Order {
        public Waiting {
            waiters = List.copyOf(waiters);
        }
    }

    /** A launcher that waits. */
    record Waiter(String launcher, Optional<String> host, String what) {}

    /** The leader runs this command, secrets masked, and the member another: what is the member's? */
    record OtherCommand(String command) implements Order {}

    /** The leader leaves; nothing more will be said. */
    record Goodbye(int exitCode) implements Order {}
}
