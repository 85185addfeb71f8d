package dev.muster.runtime.conditions;

import java.util.OptionalLong;

/** What the answers of a port mean for one condition. Times are nanoseconds on the watch's clock. */
interface PortState {

    /** Takes notice of an answer. */
    void answered(Answer answer, long now);

    boolean isMet();

    /** The rest of a sentence that starts with the port. */
    String finding();

    /** How long to wait before the next probe. */
    long pause();

    /** Waits for a port to open. */
    final class Opening implements PortState {

        private final Backoff backoff = new Backoff();
        private final Sighting sighting;
        private boolean isMet;
        private String finding = "has not been tried yet";

        Opening(Sighting sighting) {
            this.sighting = sighting;
        }

        @Override
        public void answered(Answer answer, long now) {
            if (answer == Answer.OPEN) {
                sighting.open(now);
            }
            isMet |= sighting.wasOpen();
            finding = answer.words();
        }

        @Override
        public boolean isMet() {
            return isMet;
        }

        @Override
        public String finding() {
            return finding;
        }

        @Override
        public long pause() {
            return backoff.next();
        }
    }

    /** Waits for a port that has been open to refuse connections, or just not to be open, for a while without a break. */
    final class Closing implements PortState {

        /** A port that is open is somebody's at work, who should not be disturbed often. */
        private static final long PAUSE_WHILE_OPEN = 1_000_000_000L;

        private final long lasting;
        private final OptionalLong silent;
        private final Sighting sighting;
        private final Streak refusing = new Streak();
        private final Streak absent = new Streak();
        private boolean isMet;
        private long pause = Backoff.LONGEST;
        private String finding = "has not been open yet";

        /**
         * @param lasting for how long it must refuse
         * @param silent for how long it must not be open, whatever it answers; empty: only refusals count
         */
        Closing(long lasting, OptionalLong silent, Sighting sighting) {
            this.lasting = lasting;
            this.silent = silent;
            this.sighting = sighting;
        }

        @Override
        public void answered(Answer answer, long now) {
            if (answer == Answer.OPEN) {
                sighting.open(now);
            }
            boolean wasOpen = sighting.wasOpen();
            refusing.note(answer == Answer.REFUSED, now, sighting);
            absent.note(answer != Answer.OPEN, now, sighting);
            long missing = missing(now);
            isMet |= wasOpen && missing <= 0;
            long usual = wasOpen && answer != Answer.REFUSED ? PAUSE_WHILE_OPEN : Backoff.LONGEST;
            pause = wasOpen ? Math.min(usual, Math.max(0, missing)) : usual;
            if (wasOpen) {
                finding = "was open and now " + answer.words();
            }
        }

        @Override
        public boolean isMet() {
            return isMet;
        }

        @Override
        public String finding() {
            return finding;
        }

        @Override
        public long pause() {
            return pause;
        }

        /** How long answers like the last must go on until the port counts as closed. */
        private long missing(long now) {
            long ofRefusals = refusing.missing(lasting, now);
            return silent.isEmpty() ? ofRefusals : Math.min(ofRefusals, absent.missing(silent.getAsLong(), now));
        }

        /** Since when all answers have been of one kind. */
        private static final class Streak {

            private boolean isOn;
            private long since;

            /** An answer that only another condition got breaks it as well. */
            void note(boolean isOfTheKind, long now, Sighting sighting) {
                if (isOfTheKind && !isOn) {
                    since = now;
                }
                isOn = isOfTheKind;
                sighting.last().ifPresent(open -> since = open - since > 0 ? open : since);
            }

            /** What is missing until it has lasted so long. */
            long missing(long time, long now) {
                return isOn ? time - (now - since) : Long.MAX_VALUE;
            }
        }
    }
}
