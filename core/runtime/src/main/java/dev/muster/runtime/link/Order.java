package dev.muster.runtime.link;

import java.util.List;
import java.util.Optional;

/** What a leader tells its members. Names launchers itself, so that it may pass through another. Times are on the teller's clock. */
sealed interface Order {

    /** What this becomes, by its kind. */
    <T> T fold(Cases<T> cases);

    /** See {@link Heard.Complete}. */
    record Complete(int number, int used, List<String> replaced) implements Order {
        public Complete {
            replaced = List.copyOf(replaced);
        }

        @Override
        public <T> T fold(Cases<T> cases) {
            return cases.complete(this);
        }
    }

    /** See {@link Heard.Begin}. */
    record Begin(int number, int used) implements Order {
        @Override
        public <T> T fold(Cases<T> cases) {
            return cases.begin(this);
        }
    }

    /** See {@link Heard.Stop}. */
    record Stop(JobEnd end, boolean isDoubtful, long nanoTime) implements Order {

        /** One whose reason is known for good. */
        Stop(JobEnd end, long nanoTime) {
            this(end, false, nanoTime);
        }

        @Override
        public <T> T fold(Cases<T> cases) {
            return cases.stop(this);
        }
    }

    /** See {@link Heard.Decided}. */
    record Decided(JobEnd end) implements Order {

        @Override
        public <T> T fold(Cases<T> cases) {
            return cases.decided(this);
        }
    }

    /** See {@link Heard.ProcessIs}. */
    record ProcessIs(String process, Heard.State state, long nanoTime) implements Order {
        @Override
        public <T> T fold(Cases<T> cases) {
            return cases.processIs(this);
        }
    }

    /** See {@link Heard.MayLeave}. */
    record MayLeave() implements Order {
        @Override
        public <T> T fold(Cases<T> cases) {
            return cases.mayLeave(this);
        }
    }

    /** Launchers that wait for something before they can make their plans, the first few of them. */
    record Waiting(List<Waiter> waiters) implements Order {
        public Waiting {
            waiters = List.copyOf(waiters);
        }

        @Override
        public <T> T fold(Cases<T> cases) {
            return cases.waiting(this);
        }
    }

    /** A launcher that waits. */
    record Waiter(String launcher, Optional<String> host, String what) {}

    /** The leader runs this command, secrets masked, and the member another: what is the member's? */
    record OtherCommand(String command) implements Order {
        @Override
        public <T> T fold(Cases<T> cases) {
            return cases.otherCommand(this);
        }
    }

    /** The leader leaves; nothing more will be said. */
    record Goodbye(int exitCode) implements Order {
        @Override
        public <T> T fold(Cases<T> cases) {
            return cases.goodbye(this);
        }
    }

    /**
     * What becomes of each kind of order. A new kind is a method more, so that nobody forgets it.
     *
     * @param <T> what it becomes
     */
    interface Cases<T> {

        T complete(Complete complete);

        T begin(Begin begin);

        T stop(Stop stop);

        T decided(Decided decided);

        T processIs(ProcessIs processIs);

        T mayLeave(MayLeave mayLeave);

        T waiting(Waiting waiting);

        T otherCommand(OtherCommand otherCommand);

        T goodbye(Goodbye goodbye);
    }
}
