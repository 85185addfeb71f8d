package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Causes of failures under the real torchrun. It prints much itself, and always ends with 1. Other ranks print last. */
@ExtendWith(Scenes.class)
class TorchrunCausesIT {

    @DisplayName("under torchrun the verdict names the right rank and quotes its output, not torchrun's")
    @ParameterizedTest
    @EnumSource(names = {"EXCEPTION", "SEGMENTATION_FAULT", "EXIT_WITH_CODE"})
    void aRankOfTorchrunFails(FailureCause cause, Scene scene) {
        Components.requireTorch();
        Scene.write(scene.beside("cause.py"), cause.source());
        String rank = scene.script(
                "rank",
                "[ $LOCAL_RANK = 1 ] || { trap 'echo \"RuntimeError: connection closed by peer\"; cat $scene/late; exit 1' TERM; sleep 600 & wait; }",
                "exec python3 $scene/cause.py");
        String late =
                "Traceback (most recent call last):\n  File \"train.py\", line 9, in save\nOSError: interrupted\n";
        Scene.write(scene.beside("late"), cause == FailureCause.EXCEPTION ? late : "");
        Result result = scene.apart(
                        scene.muster("--engine", "pytorch-gpu", "--platform", "none", "--job-id", scene.jobId())
                                .with("-o", "processes=torchrun", "--cards", "2", "--")
                                .with(rank))
                .start()
                .await(Training.LONG)
                .endedWith(1)
                .says(cause.words())
                .doesNotSay("ChildFailedError");
        List<String> verdict = CausesIT.assertShort(result);
        assertThat(verdict.get(0)).startsWith("muster: first failure: rank 1 of torchrun on node 0 ");
        assertThat(verdict).noneMatch(line -> line.contains("OSError: interrupted"));
        assertThat(verdict.get(verdict.size() - 1)).contains(": rank 1 (pid ", "-torchrun-node-0-rank-1.txt");
    }
}
