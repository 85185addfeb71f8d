package dev.muster.engine.tensorflow;

import java.util.List;
import java.util.Locale;

/** The kinds of script. The same processes have different tasks in each. */
enum Strategy {
    /** Scripts in the style of TensorFlow 1: the platform's lists in TF_CONFIG and as arguments. Every worker decides. */
    PS,
    /** The same scripts without arguments. */
    PS_ENV,
    /** ParameterServerStrategy: worker 0 is the chief and decides; no other process ends by itself. */
    CHIEF,
    /** MultiWorkerMirroredStrategy: only workers, because it hangs if its cluster has a ps. */
    WORKERS;

    /** The value of {@code -o tf-config}. */
    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
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

    /** The known processes that decide how the job ends. The other processes only serve them. */
    List<Member> deciders(Cluster cluster) {
        return cluster.members(cluster.chief().orElse(Role.WORKER)).stream()
                .filter(member -> this != CHIEF || member.index() == 0)
                .toList();
    }

    static Strategy of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
    }
}
