package dev.muster.engine.tensorflow;

import java.util.List;

/** The kinds of script: the same processes have other parts in each. */
enum Strategy {
    /** The platform's lists as they are, also as arguments: scripts in the style of TensorFlow 1. Every worker decides. */
    PS("ps"),
    /** The same without arguments. */
    PS_ENV("ps-env"),
    /** ParameterServerStrategy: worker 0 is the chief and decides; nobody else ends by itself. */
    CHIEF("chief"),
    /** MultiWorkerMirroredStrategy, which hangs as soon as its cluster has a ps: there are workers only. */
    WORKERS("workers");

    private final String word;

    Strategy(String word) {
        this.word = word;
    }

    /** The value of {@code -o tf-config}. */
    String word() {
        return word;
    }

    boolean hasPs() {
        return this != WORKERS;
    }

    /** All processes that a job of this kind has. */
    List<Member> members(Cluster cluster) {
        return cluster.members().stream()
                .filter(member -> hasPs() || member.role() != Role.PS)
                .toList();
    }

    /** The processes of a job that decide how it ends, as far as they are known; the others serve them. */
    List<Member> deciders(Cluster cluster) {
        return cluster.members(cluster.chief().orElse(Role.WORKER)).stream()
                .filter(member -> this != CHIEF || member.index() == 0)
                .toList();
    }

    static Strategy of(String word) {
        for (Strategy kind : values()) {
            if (kind.word.equals(word)) {
                return kind;
            }
        }
        throw new IllegalArgumentException("no kind of TF_CONFIG is called " + word);
    }
}
