package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The termination log of a container, which {@code kubectl describe} shows. */
@ExtendWith(Scenes.class)
class TerminationLogIT {

    /** A container with its own /dev, whose files are in {@code $scene/dev}. */
    private static Invocation inPod(Scene scene, Invocation launcher) {
        Components.requireRoot();
        Components.require("unshare", "mount");
        Path devices = scene.beside("dev");
        String mounts = "set -e; mkdir -p " + devices + "; cd " + devices
                + "; for name in null zero full random urandom; do"
                + " : >> $name; mount --bind /dev/$name $name; done"
                + "; ln -sfn /proc/self/fd fd; mkdir -p shm; mount --bind /dev/shm shm"
                + "; mount --rbind " + devices + " /dev; cd " + scene.directory();
        return launcher.set("KUBERNETES_SERVICE_HOST", "10.96.0.1")
                .after(mounts)
                .behind("unshare", "-m", "--propagation", "private");
    }

    private static Path log(Scene scene) {
        return scene.beside("dev").resolve("termination-log");
    }

    /** Makes the file, as the kubelet does. */
    private static void makeLog(Scene scene) {
        scene.beside("dev").toFile().mkdir();
        Scene.write(log(scene), "");
    }

    @Tag("repeated")
    @OnOneJdk
    void theCauseOfAFailureIsThere(Scene scene) {
        makeLog(scene);
        String rank = scene.script("rank", "echo no data; exit 3");
        inPod(scene, scene.job(1).with(rank)).run().endedWith(3);
        assertThat(Scene.read(log(scene)))
                .startsWith("first failure: " + scene.engine().process(0) + " on ")
                .contains(
                        "exit code 3",
                        "\n  | no data\n",
                        "\nexit 3: " + scene.engine().process(0) + " (pid ")
                .endsWith("\n");
    }

    @Test
    void theStartScriptSpeaksForAJvmThatHasDied(Scene scene) {
        makeLog(scene);
        Launched launcher = inPod(scene, scene.job(1).with("sleep", "600")).start();
        Processes.signal("KILL", launcher.awaitMessage("started 1").jvm());
        launcher.await().endedWith(70);
        assertThat(Scene.read(log(scene)).lines())
                .singleElement()
                .asString()
                .startsWith("exit 70: the launcher's JVM was killed by SIGKILL");
    }

    @Test
    void successIsThereInOneLine(Scene scene) {
        makeLog(scene);
        String rank = scene.script("rank", "exit 0");
        inPod(scene, scene.job(1).with(rank)).run().endedWith(0);
        assertThat(Scene.read(log(scene)).lines()).singleElement().asString().startsWith("exit 0: ");
    }

    @Test
    void aRefusalIsThereInItsOneLine(Scene scene) {
        makeLog(scene);
        inPod(scene, scene.muster("--engine", "nonsense", "--", "true")).run().endedWith(69);
        assertThat(Scene.read(log(scene)).lines())
                .singleElement()
                .asString()
                .startsWith("exit 69: ")
                .contains("nonsense");
    }

    @Test
    void whoPlansInAPodSaysNothingThere(Scene scene) {
        makeLog(scene);
        inPod(scene, scene.plan(1, "--input-timeout", "0s").with("/no/such/program"))
                .run();
        inPod(scene, scene.muster("--help")).run().endedWith(0);
        assertThat(log(scene)).isEmptyFile();
    }

    @Test
    void onlyTheLauncherOfTheContainerSpeaksAndSecretsAreMasked(Scene scene) {
        makeLog(scene);
        String inner = "'" + String.join("' '", scene.job(1).command()) + "'";
        String rank = scene.script("rank", inner + " /bin/sh -c 'exit 5'");
        inPod(scene, scene.job(1, "--mask", "HARMLESS").with(rank))
                .set("HARMLESS", rank)
                .run()
                .endedWith(5);
        assertThat(Scene.read(log(scene)).lines().filter(line -> line.startsWith("exit 5: ")))
                .hasSize(1);
        inPod(scene, scene.job(1, "--mask", "HARMLESS").with("/no/such/program"))
                .set("HARMLESS", "/no/such/program")
                .run()
                .endedWith(127);
        assertThat(Scene.read(log(scene))).contains("exit 127: ", "******").doesNotContain("/no/such/program");
    }

    @Test
    void aContainerWithoutTheFileGetsNone(Scene scene) {
        String rank = scene.script("rank", "exit 3");
        inPod(scene, scene.job(1).with(rank)).run().endedWith(3).doesNotSay("termination-log");
        assertThat(Files.exists(log(scene))).isFalse();
    }

    @Test
    void aFileThatCannotBeWrittenIsLeftAlone(Scene scene) {
        Components.requireRoot();
        Components.require("setpriv");
        makeLog(scene);
        String rank = scene.script("rank", "exit 3");
        scene.command("chmod", "-R", "a+rwX", scene.directory().toString())
                .run()
                .endedWith(0);
        inPod(scene, scene.job(1).with(rank).behind("setpriv", "--reuid", "1000", "--regid", "100", "--clear-groups"))
                .run()
                .endedWith(3)
                .doesNotSay("termination-log");
        assertThat(log(scene)).isEmptyFile();
    }
}
