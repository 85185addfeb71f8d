package dev.muster.runtime.inputs;

import dev.muster.spi.InputValue;

/** What one look at an input showed. Reasons are the rest of a sentence that starts with the input's name and path. */
sealed interface Look {

    /** What this becomes, by its kind. */
    <T> T fold(Cases<T> cases);

    /** The value is known; nobody looks again. */
    record Ready(InputValue value) implements Look {
        @Override
        public <T> T fold(Cases<T> cases) {
            return cases.ready(this);
        }
    }

    /**
     * Not yet.
     *
     * @param reason for example {@code does not exist}
     * @param advice a sentence without a full stop, for the case that this was the last look
     */
    record NotYet(String reason, String advice) implements Look {
        @Override
        public <T> T fold(Cases<T> cases) {
            return cases.notYet(this);
        }
    }

    /** Never: more looks are useless. */
    record Refused(String reason, String advice) implements Look {
        @Override
        public <T> T fold(Cases<T> cases) {
            return cases.refused(this);
        }
    }

    /**
     * What becomes of each kind of look. A new kind is a method more, so that nobody forgets it.
     *
     * @param <T> what it becomes
     */
    interface Cases<T> {

        T ready(Ready ready);

        T notYet(NotYet notYet);

        T refused(Refused refused);
    }
}
