package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.ExtendWith;

/** A limit of processes that is too low for the ranks of torchrun. */
@ExtendWith(Scenes.class)
class TorchrunLimitsIT {

    private static final int RANKS = 8;
    /** Enough processes for the launcher and torchrun, but not for the ranks. */
    private static final int TOO_FEW = 32;

    private static final int ENOUGH = 80;

    @OnOneJdk
    @DisplayName("the check of the process limit counts the ranks of torchrun and their wrappers, too")
    void tooFewProcessesForRanksOfTorchrunAreRefused(Scene scene) throws IOException {
        Components.requireTorch();
        try (PidsGroup group = PidsGroup.make(scene)) {
            group.limit(TOO_FEW);
            group.around(job(scene)).run().endedWith(78).says("pids.max", "is " + TOO_FEW, "ranks");
            assertThat(scene.beside("started-0")).doesNotExist();

            group.limit(ENOUGH);
            group.around(job(scene)).run().endedWith(0);
            scene.awaitFiles(Scene.each("started-", RANKS));
        }
    }

    private static Invocation job(Scene scene) {
        return scene.apart(scene.muster("--engine", "pytorch-gpu", "--platform", "none", "--job-id", scene.jobId()))
                .with("-o", "processes=torchrun", "--cards", Integer.toString(RANKS), "--")
                .with(scene.script("rank", ": > $scene/started-$RANK"));
    }
}
