package dev.muster.runtime.link;

import java.util.Map;
import java.util.Set;

/** What this launcher's own part of the job must know of the others. */
public sealed interface LinkEvent {

    /**
     * All launchers of a job that may restart in place are connected; not yet ready. Heard again when others are.
     *
     * @param number of the run that is to begin, as the launcher knows that has seen most
     * @param replaced those that were not there in the run before, in the job's second run and later
     */
    record Complete(int number, Set<String> replaced) implements LinkEvent {
        public Complete {
            replaced = Set.copyOf(replaced);
        }
    }

    /**
     * All launchers are ready: start the processes. Where the job may restart in place, and at most once for a run; everything that
     * is heard before ends the job for good.
     *
     * @param number of the run
     * @param launchers what they call themselves, by their names, so far as this one must know it
     * @param retired what launchers called themselves whose places others have now
     */
    record Begin(int number, Map<String, String> launchers, Set<String> retired) implements LinkEvent {
        public Begin {
            launchers = Map.copyOf(launchers);
            retired = Set.copyOf(retired);
        }
    }

    /**
     * The job ends because of another launcher, or because one is lost: stop at once. Not heard by the launcher that has said
     * {@link LocalEvent.Over} already. At most once.
     *
     * @param end what is known so far; {@link Decided} may name an earlier cause
     */
    record Stop(JobEnd end, boolean isDoubtful) implements LinkEvent {

        /** One whose reason is known for good. */
        public Stop(JobEnd end) {
            this(end, false);
        }
    }

    /**
     * How the job ended; final, at most once, and equal for all that hear it. After a success the processes of a launcher that
     * follows are not needed any more.
     *
     * @param end the cause that was first
     */
    record Decided(JobEnd end) implements LinkEvent {}

    /**
     * A process of another launcher that this plan watches has become ready, or has ended.
     *
     * @param process {@code id@launcher}
     */
    record ProcessIs(String process, State state) implements LinkEvent {}

    /** How far a process has come. */
    enum State {
        READY,
        ENDED
    }

    /**
     * The user of another launcher asks this one.
     *
     * @param asker the name of that launcher
     * @param id tells the questions of that launcher apart
     * @param question JSON
     */
    record Question(String asker, String id, String kind, String question) implements LinkEvent, OfQuestion {}

    /** A piece of another launcher's answer to {@link LocalEvent.Asked}. */
    record Answer(String node, String id, String piece, boolean isLast) implements LinkEvent, OfQuestion {}

    /** Another launcher cannot answer {@link LocalEvent.Asked}. */
    record NoAnswer(String node, String id, String why) implements LinkEvent, OfQuestion {}

    /** What is heard for users who ask, and is no part of the job's course. */
    interface OfQuestion {}

    /**
     * Nobody needs this launcher any more: for a member, the leader has taken its {@link LocalEvent.Succeeded}, or will not hear it;
     * for the leader, all others have left, or those that have not will not be waited for. Comes after {@link LocalEvent.Succeeded}
     * or, for the leader, after {@link Decided}.
     */
    record MayLeave() implements LinkEvent {}
}
