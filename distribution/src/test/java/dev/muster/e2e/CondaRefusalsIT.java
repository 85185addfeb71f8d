package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Conda environments that are not there or cannot be activated, and launchers that are stopped meanwhile. */
@ExtendWith(Scenes.class)
class CondaRefusalsIT {

    private static Invocation job(Scene scene, String environment, String... command) {
        return scene.job(1, "--conda-env", environment)
                .with(command)
                .set("CONDA_ROOT", scene.beside("conda").toString());
    }

    @Test
    void anEnvironmentThatIsNotThereIsRefusedWithThePlacesThatWereSearched(Scene scene) {
        Probe probe = Probe.in(scene);
        CondaPrefix.in(scene);
        job(scene, "trian", probe.program())
                .run()
                .endedWith(78)
                .says("--conda-env: \"trian\"", "looked for " + scene.beside("conda/envs/trian"));
        job(scene, "./conda", probe.program()).answer().endedWith(78).says("\"./conda\" is no conda environment");
        job(scene, "$(touch pwned)\n", probe.program()).answer().endedWith(78).says("\\n");
        scene.job(1)
                .with(probe.program())
                .set("MUSTER_CONDA_ENV", "none")
                .answer()
                .endedWith(78)
                .says("MUSTER_CONDA_ENV: \"none\"");
        assertThat(probe.wasStarted()).isFalse();
        assertThat(Scene.tree(scene.directory())).containsExactly("");
    }

    @Test
    void aScriptThatFailsIsNamedWithItsLastWords(Scene scene) {
        Probe probe = Probe.in(scene);
        CondaPrefix conda = CondaPrefix.in(scene).onActivation("echo 'no licence' >&2; exit 5");
        job(scene, CondaPrefix.NAME, probe.program())
                .run()
                .endedWith(78)
                .says(conda.path() + "/etc/conda/activate.d/script.sh", "ended the shell with 5", "\"no licence\"");
        assertThat(probe.wasStarted()).isFalse();
    }

    @OnOneJdk
    void aSignalEndsAnActivationAtOnceWithAllThatItStarted(Scene scene) {
        Probe probe = Probe.in(scene);
        CondaPrefix.in(scene).onActivation("echo waits; setsid sleep 600 & sleep 600");
        for (String[] signal : new String[][] {{"TERM", "143"}, {"INT", "130"}}) {
            Launched launched = job(scene, CondaPrefix.NAME, probe.program()).start();
            launched.awaitMessage("conda: waits").signal(signal[0]);
            launched.await().endedWith(Integer.parseInt(signal[1])).says("nothing was started");
            scene.assertNothingIsLeft();
        }
        assertThat(probe.wasStarted()).isFalse();
    }

    @Test
    void whatAScriptLeavesBehindIsGoneBeforeTheRanksStart(Scene scene) {
        CondaPrefix.in(scene).onActivation("sleep 600 & export DONE=yes");
        Result result =
                job(scene, CondaPrefix.NAME, "sh", "-c", "echo $DONE").run().endedWith(0);
        assertThat(result.output()).contains("yes");
    }

    @Test
    void aDefaultThatIsNotThereIsAWarning(Scene scene) {
        Probe probe = Probe.in(scene);
        CondaPrefix conda = CondaPrefix.in(scene).program("python", "/nowhere");
        String places = scene.beside("own").toString();
        assertThat(scene.beside("own").toFile().mkdir()).isTrue();
        scene.command("ln", "-s", probe.program(), places + "/python3").run().endedWith(0);
        scene.job(1)
                .with("python3")
                .set("PATH", places + ":" + Invocation.PATH)
                .set("ANACONDA_DIR", conda.root().toString())
                .set("DEFAULT_CONDA_ENV_NAME", "gone")
                .run()
                .endedWith(0)
                .says("warning: DEFAULT_CONDA_ENV_NAME is \"gone\"");
        assertThat(probe.rank(0).environment()).doesNotContainKey("CONDA_PREFIX");
    }

    @Test
    void aProgramThatTheEnvironmentLacksIsNotFound(Scene scene) {
        CondaPrefix conda = CondaPrefix.in(scene).program("not-for-you", "/etc/passwd");
        job(scene, CondaPrefix.NAME, "no-such-program").answer().endedWith(127).says(conda.path() + "/bin");
        job(scene, CondaPrefix.NAME, "not-for-you").answer().endedWith(126);
    }

    @Test
    void everyNodeOfASimulationActivatesTheEnvironment(Scene scene) {
        CondaPrefix conda = CondaPrefix.in(scene).program("train-it", "/usr/bin/env");
        Result result = scene.muster(
                        "simulate",
                        "--engine",
                        "pytorch-gpu",
                        "-o",
                        "processes=plain",
                        "--nodes",
                        "2",
                        "--conda-env",
                        "../conda/envs/train",
                        "--",
                        "train-it")
                .run()
                .endedWith(0);
        assertThat(result.outputLines().stream().filter(line -> line.endsWith("CONDA_PREFIX=" + conda.path())))
                .hasSize(2);
    }
}
