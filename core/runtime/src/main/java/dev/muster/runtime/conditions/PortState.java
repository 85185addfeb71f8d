package dev.muster.runtime.conditions;

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
        private boolean isMet;
        private String finding = "has not been tried yet";

        @Override
        public void answered(Answer answer, long now) {
            isMet |= answer == Answer.OPEN;
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

    /** Waits for a port that has been open to refuse connections for a while, without a break. */
    final class Closing implements PortState {

        /** A port that is open is somebody's at work, who should not be disturbed often. */
        private static final long PAUSE_WHILE_OPEN = 1_000_000_000L;

        private final long lasting;
        private boolean wasOpen;
        private boolean isRefusing;
        private long refusingSince;
        private boolean isMet;
        private String finding = "has not been open yet";

        Closing(long lasting) {
            this.lasting = lasting;
        }

        @Override
        public void answered(Answer answer, long now) {
            wasOpen |= answer == Answer.OPEN;
            boolean isFirstRefusal = answer == Answer.REFUSED && !isRefusing;
            isRefusing = answer == Answer.REFUSED;
            if (isFirstRefusal) {
                refusingSince = now;
            }
            isMet |= wasOpen && isRefusing && now - refusingSince >= lasting;
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
            return wasOpen && !isRefusing ? PAUSE_WHILE_OPEN : Backoff.LONGEST;
        }
    }
}
