package dev.muster.runtime.platform;

import java.util.List;

/** All platforms, in the order in which they are asked whether we are on them: the more specific first. */
final class Platforms {

    static final List<KnownPlatform> ALL = List.of(
            ModelArts.KNOWN,
            Apulis.KNOWN,
            MpiJob.KNOWN,
            TfJob.KNOWN,
            PyTorchJob.KNOWN,
            Trainer.KNOWN,
            JaxJob.KNOWN,
            Volcano.KNOWN,
            IndexedJob.JOB_SET,
            IndexedJob.KNOWN,
            Slurm.KNOWN,
            NoPlatform.KNOWN);

    private Platforms() {}
}
