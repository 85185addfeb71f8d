package dev.muster.runtime.inputs;

import dev.muster.spi.InputValue;
import java.util.List;
import java.util.Optional;

/** What one look at an input showed. Reasons are the rest of a sentence that starts with the input's name and path. */
sealed interface ReadAttempt {

    /**
     * The input is read; nobody looks again.
     *
     * @param value empty: there is none
     * @param warnings what the user should know about it
     */
    record Ready(Optional<InputValue> value, List<String> warnings) implements ReadAttempt {

        /** There is no value, and none is needed. */
        static final Ready WITHOUT = new Ready(Optional.empty(), List.of());

        Ready(InputValue value) {
            this(Optional.of(value), List.of());
        }
    }

    /**
     * The input is not ready yet.
     *
     * @param reason for example {@code does not exist}
     * @param advice a sentence without a full stop, in case this was the last look
     */
    record NotYet(String reason, String advice) implements ReadAttempt {}

    /** The input is wrong, and waiting does not help. */
    record Refused(String reason, String advice) implements ReadAttempt {}
}
