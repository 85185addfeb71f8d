package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.ExtendWith;

/** The example plugins: built outside of our build, put into the package, and used. */
@ExtendWith(Scenes.class)
class ThirdPartyIT {

    @OnOneJdk
    void theDeepSpeedEngineIsBuiltTestedDroppedInAndRuns(Scene scene) throws IOException {
        PluginHome home = new PluginHome(scene);
        assertThat(ThirdPartyBuild.into(home.plugins(), scene, "engine-deepspeed"))
                .contains("Tests run: 23", "BUILD SUCCESS");
        assertThat(home.muster("engines").answer().endedWith(0).output()).contains("deepspeed", "1.0");

        Files.writeString(scene.directory().resolve(".deepspeed_env"), "EXTRA=a b\n");
        Files.writeString(scene.directory().resolve("train.py"), """
                import os, sys
                print("rank", os.environ["RANK"], "of", os.environ["WORLD_SIZE"], sys.argv[1:], os.environ["EXTRA"])
                """);
        Result job = home.muster("simulate", "--engine", "deepspeed", "--nodes", "2", "--cards", "2")
                .with("--deepspeed-env", ".deepspeed_env", "--", "python3", "-u", "train.py", "--epochs", "3")
                .run()
                .endedWith(0);
        for (int rank = 0; rank < 4; rank++) {
            assertThat(job.output())
                    .contains("rank " + rank + " of 4 ['--local_rank=" + rank % 2 + "', '--epochs', '3'] a b");
        }
    }

    @OnOneJdk
    void theFluxPlatformIsBuiltTestedNamedByADirectoryAndFollowed(Scene scene) throws IOException {
        PluginHome home = new PluginHome(scene);
        Path plugins = scene.beside("more plugins");
        ThirdPartyBuild.into(plugins, scene, "platform-flux");

        assertThat(home.muster("platforms")
                        .set("MUSTER_PLUGINS", plugins.toString())
                        .run()
                        .endedWith(0)
                        .output())
                .containsPattern("flux +- +Flux");
        assertThat(home.muster("platforms").answer().endedWith(0).output()).doesNotContain("flux run");
        assertThat(home.muster("platforms", "--plugins", "/no/such")
                        .answer()
                        .endedWith(0)
                        .output())
                .contains("/no/such: there is no such directory");

        for (int nodes : new int[] {1, 2}) {
            Result plan = home.muster("plan", "--plugins", plugins.toString(), "--engine", "pytorch-gpu")
                    .with("--hosts", nodes == 1 ? "10.9.0.1" : "10.9.0.1,10.9.0.2", "--", "true")
                    .set("FLUX_JOB_ID", "f7")
                    .set("FLUX_JOB_SIZE", "" + nodes)
                    .set("FLUX_JOB_NNODES", "" + nodes)
                    .set("FLUX_TASK_RANK", "" + (nodes - 1))
                    .answer()
                    .endedWith(0);
            assertThat(plan.output()).contains("flux", "FLUX_TASK_RANK");
        }
        // Without the plugin the launcher refuses: it must not take two nodes for two jobs.
        home.muster("plan", "--engine", "pytorch-gpu", "--", "true")
                .set("FLUX_JOB_NNODES", "2")
                .answer()
                .endedWith(78)
                .says("FLUX_JOB_NNODES=2 (Flux)");
        Result job = home.muster("simulate", "--platform", "flux", "--engine", "pytorch-gpu", "--nodes", "2")
                .with("--", "sh", "-c", "echo \"$FLUX_JOB_NNODES $FLUX_TASK_RANK $RANK\"")
                .set("MUSTER_PLUGINS", plugins.toString())
                .run()
                .endedWith(0);
        assertThat(job.output()).contains("2 0 0", "2 1 1");
    }
}
