package dev.muster.engine.tensorflow;

import java.util.Optional;

/** What a process does in the job, in the words of ModelArts and of TensorFlow's arguments. */
enum Role {
    PS("ps"),
    WORKER("worker");

    private final String word;

    Role(String word) {
        this.word = word;
    }

    String word() {
        return word;
    }

    /** The role that a platform calls by this word, if it is one of TensorFlow's. */
    static Optional<Role> of(Optional<String> word) {
        for (Role role : values()) {
            if (word.isPresent() && word.get().equals(role.word)) {
                return Optional.of(role);
            }
        }
        return Optional.empty();
    }
}
