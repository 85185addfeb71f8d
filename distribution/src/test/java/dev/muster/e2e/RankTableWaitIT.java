package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The launcher waits while the platform writes a rank table. It refuses other defects at once. */
@ExtendWith(Scenes.class)
class RankTableWaitIT {

    private static final String TABLE = RankTables.templateTwo(RankTables.pod("job-0", "192.168.0.25", "0 10.0.0.1"));

    @Tag("repeated")
    @OnOneJdk
    void aTableThatComesLateAndIsWrittenBitByBitIsWaitedFor(Scene scene) {
        Probe probe = Probe.in(scene);
        ModelArtsNode node = ModelArtsNode.of(scene, "job-0");
        Launched launcher = node.muster(scene)
                .with(probe.program())
                .start()
                .awaitMessage(node.table().toString())
                .awaitMessage("does not exist");
        replace(node, "", launcher, "is empty");
        replace(node, TABLE.substring(0, TABLE.length() / 2), launcher, "is cut off");
        replace(node, "{}", launcher, "has no field \"status\"");
        replace(node, "{\"status\": \"initializing\"}", launcher, "is still \"initializing\"");
        assertThat(probe.wasStarted()).isFalse();
        Scene.write(node.table(), TABLE);
        launcher.await().endedWith(0);
        assertThat(probe.count()).isEqualTo(1);
    }

    private static void replace(ModelArtsNode node, String content, Launched launcher, String reason) {
        Scene.write(node.table(), content);
        launcher.awaitMessage(reason);
    }

    @Test
    void aTableBehindLinksThatAreSwappedIsFollowed(Scene scene) throws IOException {
        Probe probe = Probe.in(scene);
        ModelArtsNode node = ModelArtsNode.of(scene, "job-0");
        Path config = node.config();
        Scene.write(Files.createDirectory(config.resolve("..old")).resolve("t.json"), RankTables.initializing(TABLE));
        Scene.write(Files.createDirectory(config.resolve("..new")).resolve("t.json"), TABLE);
        Files.createSymbolicLink(config.resolve("..data"), Path.of("..old"));
        Files.createSymbolicLink(node.table(), Path.of("..data/t.json"));
        Launched launcher = node.muster(scene).with(probe.program()).start();
        launcher.awaitMessage("initializing");
        Files.createSymbolicLink(config.resolve("..next"), Path.of("..new"));
        Files.move(
                config.resolve("..next"),
                config.resolve("..data"),
                java.nio.file.StandardCopyOption.ATOMIC_MOVE,
                java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        launcher.await().endedWith(0);
        assertThat(probe.count()).isEqualTo(1);
    }

    /** Other tests have a truncated table, and one without status. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"''|is empty", "{\"status\": \"initializing\"}|initializing"})
    void aWaitThatRunsOutTellsTheLastReason(String content, String reason, Scene scene) {
        Probe probe = Probe.in(scene);
        ModelArtsNode node = ModelArtsNode.of(scene, "job-0", content);
        node.muster(scene, "--input-timeout", "300ms")
                .with(probe.program())
                .answer()
                .endedWith(75)
                .says(node.table().toString(), reason, "300ms");
        assertThat(probe.wasStarted()).isFalse();
    }

    @Tag("repeated")
    @OnOneJdk
    void theWaitForAHalfWrittenTableEndsAtTheDeadline(Scene scene) {
        Probe probe = Probe.in(scene);
        ModelArtsNode node = ModelArtsNode.of(scene, "job-0", TABLE.substring(0, TABLE.length() / 2));
        Result result = node.muster(scene, "--input-timeout", "2s")
                .with(probe.program())
                .run()
                .endedWith(75)
                .says(node.table().toString(), "2s");
        assertThat(result.duration()).isGreaterThanOrEqualTo(Duration.ofSeconds(2));
        assertThat(result.messages()).containsPattern("cut off|not complete|incomplete|half");
        assertThat(probe.wasStarted()).isFalse();
    }

    @Test
    void aTableThatNeverComesIsATemporaryFailure(Scene scene) {
        Probe probe = Probe.in(scene);
        ModelArtsNode node = ModelArtsNode.of(scene, "job-0");
        node.muster(scene, "--input-timeout", "300ms")
                .with(probe.program())
                .answer()
                .endedWith(75)
                .says("does not exist", node.config().toString(), "RANK_TABLE_FILE");
        assertThat(probe.wasStarted()).isFalse();
    }

    /** {@code InputsTest} has more wrong values of the status. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"{\"status\": \"COMPLETED\"}|COMPLETED", "{\"status\": null}|null"})
    void anyOtherStatusIsRefusedAtOnce(String content, String shown, Scene scene) {
        Probe probe = Probe.in(scene);
        ModelArtsNode node = ModelArtsNode.of(scene, "job-0", content);
        node.muster(scene)
                .with(probe.program())
                .answer()
                .endedWith(65)
                .says(node.table().toString(), "/status", shown, "completed");
        assertThat(probe.wasStarted()).isFalse();
    }

    @Test
    void aPipeInPlaceOfTheTableIsRefusedAtOnce(Scene scene) {
        Probe probe = Probe.in(scene);
        ModelArtsNode node = ModelArtsNode.of(scene, "job-0");
        scene.command("mkfifo", node.table().toString()).run();
        node.muster(scene).with(probe.program()).answer().endedWith(65).says("is no regular file");
        assertThat(probe.wasStarted()).isFalse();
    }

    @Test
    void aDirectoryOrADeviceInPlaceOfTheTableIsRefusedAtOnce(Scene scene) throws IOException {
        Probe probe = Probe.in(scene);
        ModelArtsNode node = ModelArtsNode.of(scene, "job-0");
        Files.createDirectory(node.table());
        node.muster(scene)
                .with(probe.program())
                .answer()
                .endedWith(65)
                .says("directory", node.table().toString());
        scene.muster("--engine", "ascend", "--rank-table", "/dev/zero", "--", probe.program())
                .answer()
                .endedWith(65)
                .says("/dev/zero");
        assertThat(probe.wasStarted()).isFalse();
    }

    /** Each signal on one JDK. {@link SupervisionIT} tests signals on all JDKs. */
    @OnOneJdk
    void aSignalEndsTheWait(Scene scene) {
        Probe probe = Probe.in(scene);
        ModelArtsNode node = ModelArtsNode.of(scene, "job-0");
        if (scene.jdk().equals(Jdk.all().get(0))) {
            checkSignal(node.muster(scene).with(probe.program()), "TERM", 143);
            checkSignal(node.muster(scene).with(probe.program()), "HUP", 129);
        }
        if (scene.jdk().equals(Jdk.newest())) {
            checkSignal(node.muster(scene).with(probe.program()), "INT", 130);
            checkSignal(node.jar(scene).with(probe.program()), "TERM", 143);
        }
        assertThat(probe.wasStarted()).isFalse();
        assertThat(Scene.tree(node.mount())).containsExactly("", "log");
    }

    private static void checkSignal(Invocation launcher, String signal, int exitCode) {
        Launched waiting = launcher.start().awaitMessage("does not exist");
        waiting.signal(signal).await().endedWith(exitCode).says("SIG" + signal);
    }
}
