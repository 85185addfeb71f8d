package dev.muster.engine.tensorflow;

import java.util.List;
import java.util.Locale;

/** The kinds of script: the same processes have other parts in each. */
enum Strategy {
    /** The platform's lists as they are, also as arguments: scripts in the style of TensorFlow 1. Every worker decides. */
    PS,
    /** The same without arguments. */
    PS_ENV,
    /** ParameterServerStrategy: worker 0 is the chief and decides; nobody else ends by itself. */
    CHIEF,
    /** MultiWorkerMirroredStrategy, which hangs as soon as its cluster has a ps: there are workers only. */
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

    /** The processes of a job that decide how it ends, as far as they are known; the others serve them. */
    List<Member> deciders(Cluster cluster) {
        return cluster.members(cluster.chief().orElse(Role.WORKER)).stream()
                .filter(member -> this != CHIEF || member.index() == 0)
                .toList();
    }

    static Strategy of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
    }
}
