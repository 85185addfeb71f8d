package dev.muster.runtime.inputs;

import dev.muster.spi.InputValue;

/** What one look at an input showed. Reasons are the rest of a sentence that starts with the input's name and path. */
sealed interface Look {

    /** The value is known; nobody looks again. */
    record Ready(InputValue value) implements Look {}

    /**
     * Not yet.
     *
     * @param reason for example {@code does not exist}
     * @param advice a sentence without a full stop, for the case that this was the last look
     */
    record NotYet(String reason, String advice) implements Look {}

    /** Never: more looks are useless. */
    record Refused(String reason, String advice) implements Look {}
}
