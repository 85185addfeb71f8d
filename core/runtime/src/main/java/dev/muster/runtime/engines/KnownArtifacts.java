package dev.muster.runtime.engines;

import java.util.Map;
import java.util.Optional;

/** Engines that exist, whether they are there or not. */
final class KnownArtifacts {

    private static final Map<String, String> BY_ID = Map.of(
            "ascend", "muster-engine-ascend",
            "pytorch-gpu", "muster-engine-pytorch-gpu",
            "tensorflow-ps", "muster-engine-tensorflow-ps",
            "mpi", "muster-engine-mpi");

    private KnownArtifacts() {}

    /** The artifact that brings this engine. */
    static Optional<String> of(String id) {
        return Optional.ofNullable(BY_ID.get(id)).map(artifact -> "dev.muster:" + artifact);
    }
}
