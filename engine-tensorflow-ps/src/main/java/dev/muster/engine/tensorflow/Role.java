package dev.muster.engine.tensorflow;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** What a process does in the job, in the words of TensorFlow, most of which are also those of platforms. */
enum Role {
    PS,
    WORKER,
    CHIEF,
    /** An older word for the chief. */
    MASTER,
    /** Looks at what the others have trained; the job does not wait for it. */
    EVALUATOR;

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    boolean isChief() {
        return this == CHIEF || this == MASTER;
    }

    /** The role of this name. */
    static Optional<Role> of(String word) {
        return Stream.of(values()).filter(role -> word.equals(role.word())).findFirst();
    }

    /** The role that a platform calls by this word, if it is one of the two for which it can give lists of addresses. */
    static Optional<Role> ofContainer(Optional<String> word) {
        return word.flatMap(Role::of).filter(role -> role == PS || role == WORKER);
    }
}
