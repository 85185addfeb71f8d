package dev.muster.engine.tensorflow;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The role of a process in the job. The names are TensorFlow's; platforms use most of them too. */
enum Role {
    PS,
    WORKER,
    CHIEF,
    /** The older name of the chief. */
    MASTER,
    /** Evaluates the model that the others train; the job does not wait for it. */
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

    /** The role by the platform's word, if it is ps or worker: for these a platform can give lists of addresses. */
    static Optional<Role> ofContainer(Optional<String> word) {
        return word.flatMap(Role::of).filter(role -> role == PS || role == WORKER);
    }
}
