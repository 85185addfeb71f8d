package dev.muster.runtime.inputs;

import dev.muster.spi.InputValue;
import java.util.List;

/** What one look at an input showed. Reasons are the rest of a sentence that starts with the input's name and path. */
sealed interface ReadAttempt {

    /**
     * The value is known; nobody looks again.
     *
     * @param warnings what the user should know about it
     */
    record Ready(InputValue value, List<String> warnings) implements ReadAttempt {

        Ready(InputValue value) {
            this(value, List.of());
        }
    }

    /**
     * Not yet.
     *
     * @param reason for example {@code does not exist}
     * @param advice a sentence without a full stop, for the case that this was the last look
     */
    record NotYet(String reason, String advice) implements ReadAttempt {}

    /** Never: more looks are useless. */
    record Refused(String reason, String advice) implements ReadAttempt {}
}
