package dev.muster.runtime.link;

import java.util.Map;
import java.util.Set;

/** Events from the other launchers for this launcher's own part of the job. */
public sealed interface LinkEvent {

    /**
     * All launchers of a job that may restart in place are connected, but not ready yet. Comes again when a launcher was replaced.
     *
     * @param number of the attempt to begin: the highest that any launcher knows
     * @param replaced launchers that were not in the attempt before; empty for the first attempt
     */
    record Complete(int number, Set<String> replaced) implements LinkEvent {
        public Complete {
            replaced = Set.copyOf(replaced);
        }
    }

    /**
     * All launchers are ready: start the processes. Only in a job that may restart in place, at most once for an attempt. Any end before it
     * is final.
     *
     * @param number of the attempt
     * @param launchers the {@link LinkRun#launcher} ids by name, as far as this launcher needs them
     * @param retired ids of launchers whose places others now hold
     */
    record Begin(int number, Map<String, String> launchers, Set<String> retired) implements LinkEvent {
        public Begin {
            launchers = Map.copyOf(launchers);
            retired = Set.copyOf(retired);
        }
    }

    /**
     * The job ends because of another launcher, or because one is lost: stop at once. Comes at most once, and not after this launcher's own
     * {@link LocalEvent.Over}.
     *
     * @param end the cause known so far; {@link Decided} may name an earlier one
     */
    record Stop(JobEnd end, boolean isDoubtful) implements LinkEvent {

        /** A stop whose cause is final. */
        public Stop(JobEnd end) {
            this(end, false);
        }
    }

    /**
     * How the job ended. It is final, comes at most once, and is equal on all launchers. After a success, the processes of a launcher that
     * follows the leader are not needed any more.
     *
     * @param end the first cause
     */
    record Decided(JobEnd end) implements LinkEvent {}

    /**
     * A watched process of another launcher is ready or has ended.
     *
     * @param process {@code id@launcher}
     */
    record ProcessIs(String process, State state) implements LinkEvent {}

    enum State {
        READY,
        ENDED
    }

    /**
     * The user of another launcher asks this one.
     *
     * @param asker the name of that launcher
     * @param id unique among the questions of that launcher
     * @param question JSON
     */
    record Question(String asker, String id, String kind, String question) implements LinkEvent, OfQuestion {}

    /** A piece of another launcher's answer to {@link LocalEvent.Asked}. */
    record Answer(String node, String id, String piece, boolean isLast) implements LinkEvent, OfQuestion {}

    /** Another launcher cannot answer {@link LocalEvent.Asked}. */
    record NoAnswer(String node, String id, String why) implements LinkEvent, OfQuestion {}

    /** Events that answer users' questions and do not affect the job. */
    interface OfQuestion {}

    /**
     * No other launcher needs this one any more. On a member: the leader has its {@link LocalEvent.Succeeded}, or will not receive it. On
     * the leader: all others have left, or are not waited for. Comes after {@link LocalEvent.Succeeded} or, on the leader, after
     * {@link Decided}.
     */
    record MayLeave() implements LinkEvent {}
}
