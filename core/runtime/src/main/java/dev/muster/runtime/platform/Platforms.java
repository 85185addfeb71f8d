package dev.muster.runtime.platform;

import dev.muster.spi.Platform;
import java.util.List;

/**
 * All platforms, in the order in which they are asked whether we are on them: the more specific first. An acjob may have what other
 * jobs of MindX DL have, too.
 */
final class Platforms {

    static final List<Platform> ALL = List.of(
            ModelArts.KNOWN,
            AcJob.KNOWN,
            MindXDl.KNOWN,
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
