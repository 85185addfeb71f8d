package dev.muster.engine.tensorflow;

/** The three kinds of script that read {@code TF_CONFIG}: the same processes have other parts in each. */
enum Kind {
    /** The platform's lists as they are: scripts in the style of TensorFlow 1. Every worker decides. */
    PS("ps"),
    /** ParameterServerStrategy: worker 0 is the chief and decides; nobody else ends by itself. */
    CHIEF("chief"),
    /** MultiWorkerMirroredStrategy, which hangs as soon as its cluster has a ps: there are workers only. */
    WORKERS("workers");

    private final String word;

    Kind(String word) {
        this.word = word;
    }

    /** The value of {@code -o tf-config}. */
    String word() {
        return word;
    }

    boolean hasPs() {
        return this != WORKERS;
    }

    /** Whether a worker decides how the job ends. */
    boolean isDecidedBy(int worker) {
        return this != CHIEF || worker == 0;
    }

    static Kind of(String word) {
        for (Kind kind : values()) {
            if (kind.word.equals(word)) {
                return kind;
            }
        }
        throw new IllegalArgumentException("no kind of TF_CONFIG is called " + word);
    }
}
