package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Ranks run in a conda environment: the one that the user chose, or the default of ModelArts' images. */
@OnEveryEngine(services = false)
class CondaIT {

    private static String bytes(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    @OnOneJdk
    void ranksHaveTheProgramsAndVariablesOfTheEnvironment(Scene scene) {
        Probe probe = Probe.in(scene);
        CondaPrefix conda = CondaPrefix.in(scene)
                .program("train-it", probe.program())
                .variable("OF_STATE", "größe")
                .onActivation(
                        "echo out of the script; echo and its errors >&2",
                        "export OF_SCRIPT=\"$OF_STATE",
                        "of $CONDA_DEFAULT_ENV\"",
                        "unset TAKEN_AWAY");
        // What neither Java nor a shell can express has to stay as it is.
        Result result = scene.job(1, "--conda-env", CondaPrefix.NAME)
                .with("train-it", "an argument")
                .set("CONDA_ROOT", conda.root().toString())
                .set("TAKEN_AWAY", "x")
                .behind("env", "a.b=dot")
                .after("export LATIN=\"$(printf 'caf\\351')\"")
                .run()
                .endedWith(0)
                .says(
                        "conda: out of the script",
                        "conda: and its errors",
                        "conda environment train at " + conda.path());
        assertThat(result.output()).doesNotContain("out of the script");
        Map<String, String> environment = probe.rank(0).environment();
        assertThat(environment)
                .containsEntry("PATH", conda.path() + "/bin:" + Invocation.PATH)
                .containsEntry("CONDA_PREFIX", conda.path().toString())
                .containsEntry("CONDA_DEFAULT_ENV", CondaPrefix.NAME)
                .containsEntry("CONDA_SHLVL", "1")
                .containsEntry("CONDA_PROMPT_MODIFIER", "(train) ")
                .containsEntry("OF_STATE", bytes("größe"))
                .containsEntry("OF_SCRIPT", bytes("größe\nof train"))
                .containsEntry("LATIN", "caf\u00e9")
                .containsEntry("a.b", "dot")
                .doesNotContainKeys("TAKEN_AWAY", "LD_LIBRARY_PATH");
        assertThat(probe.rank(0).arguments()).containsExactly("an argument");
    }

    @Test
    void aPlanShowsWhatActivationChanges(Scene scene) {
        CondaPrefix conda = CondaPrefix.in(scene).onActivation("export OF_SCRIPT=1 MY_TOKEN=hidden; unset TAKEN_AWAY");
        Invocation plan = scene.plan(1, "--conda-env", conda.path().toString())
                .set("TAKEN_AWAY", "x")
                .with("/bin/true");
        assertThat(plan.run().endedWith(0).output())
                .contains(
                        "Conda environment",
                        "name: train",
                        "origin: --conda-env",
                        "OF_SCRIPT",
                        "TAKEN_AWAY",
                        "conda-env")
                .doesNotContain("hidden");
        Result json = scene.plan(1, "--conda-env", conda.path().toString(), "--format", "json")
                .set("TAKEN_AWAY", "x")
                .with("/bin/true")
                .run()
                .endedWith(0);
        var shown = Json.parse(json.output()).get("conda");
        assertThat(shown.get("name").asText()).isEqualTo("train");
        assertThat(shown.get("prefix").asText()).isEqualTo(conda.path().toString());
        assertThat(shown.get("origin").asText()).isEqualTo("--conda-env");
        assertThat(shown.get("set").get("OF_SCRIPT").asText()).isEqualTo("1");
        assertThat(shown.get("set").get("MY_TOKEN").asText()).doesNotContain("hidden");
        assertThat(shown.get("set").get("PATH").asText()).startsWith(conda.path() + "/bin:");
        assertThat(shown.get("remove").get(0).asText()).isEqualTo("TAKEN_AWAY");
    }

    @OnceForAll
    void plainPythonIsThatOfTheImagesEnvironment(Scene scene) {
        Probe probe = Probe.in(scene);
        CondaPrefix conda = CondaPrefix.in(scene).program("python", probe.program());
        assertThat(conda.path().resolve("lib").toFile().mkdir()).isTrue();
        scene.job(1)
                .with("python")
                .set("ANACONDA_DIR", conda.root().toString())
                .set("DEFAULT_CONDA_ENV_NAME", CondaPrefix.NAME)
                .run()
                .endedWith(0)
                .says("(ANACONDA_DIR and DEFAULT_CONDA_ENV_NAME)");
        assertThat(probe.rank(0).environment())
                .containsEntry("CONDA_PREFIX", conda.path().toString())
                .containsEntry("LD_LIBRARY_PATH", conda.path() + "/lib");
    }

    @OnceForAll
    void anyOtherCommandIsLeftAlone(Scene scene) {
        Probe probe = Probe.in(scene);
        CondaPrefix conda = CondaPrefix.in(scene).onActivation("exit 1");
        scene.job(1)
                .with(probe.program())
                .set("ANACONDA_DIR", conda.root().toString())
                .set("DEFAULT_CONDA_ENV_NAME", CondaPrefix.NAME)
                .run()
                .endedWith(0);
        assertThat(probe.rank(0).environment())
                .containsEntry("PATH", Invocation.PATH)
                .doesNotContainKey("CONDA_PREFIX");
    }
}
