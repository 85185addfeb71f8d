package dev.muster.runtime.platform;

import dev.muster.runtime.errors.MusterException;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What a platform says of one thing. A variable that is wrong matters only where its word is wanted: an option may say the same.
 *
 * @param value empty: the platform says nothing
 * @param problem why the variables that say it are wrong, in a sentence for the user
 */
record Answer<T>(Optional<T> value, Optional<String> problem) {

    static <T> Answer<T> none() {
        return new Answer<>(Optional.empty(), Optional.empty());
    }

    static <T> Answer<T> of(Supplier<Optional<T>> question) {
        try {
            return new Answer<>(question.get(), Optional.empty());
        } catch (MusterException wrong) {
            return new Answer<>(Optional.empty(), Optional.of(String.valueOf(wrong.getMessage())));
        }
    }

    /** @throws MusterException where the variables are wrong */
    Optional<T> get() {
        if (problem.isPresent()) {
            throw MusterException.configuration(problem.get());
        }
        return value;
    }
}
