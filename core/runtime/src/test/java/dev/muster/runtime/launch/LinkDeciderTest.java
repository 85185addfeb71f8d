package dev.muster.runtime.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.runtime.config.ProcessInfo;
import dev.muster.runtime.config.TestProcesses;
import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.link.LinkKey;
import dev.muster.runtime.link.LinkPorts;
import dev.muster.runtime.link.LinkSettings;
import dev.muster.runtime.platform.ResolvedJob;
import dev.muster.runtime.platform.TestResolvedJobs;
import dev.muster.spi.LauncherNodes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LinkDeciderTest {

    private static final String[] BARE = {"hosts", "a,b,c", "node-index", "1"};
    private static final String[] SHARED = with(BARE, "job-id", "exp-7");
    /** The decision for a job of one launcher. */
    private static final LinkDecider.Decision ALONE =
            new LinkDecider.Decision(Optional.empty(), Optional.empty(), Optional.empty());

    private final List<String> warnings = new ArrayList<>();

    @TempDir
    private Path directory;

    private Path secret;

    @BeforeEach
    void writeSecret() throws IOException {
        secret = Files.writeString(directory.resolve("secret"), "0123456789abcdef0123456789abcdef\n");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void severalNodesThatShareAnIdMeet() {
        LinkSettings settings = decide(SHARED).settings().orElseThrow();

        assertThat(settings.jobId()).isEqualTo("exp-7");
        assertThat(settings.launchers().own()).isEqualTo("node-1");
        assertThat(settings.launchers().leader()).isEqualTo("node-0");
        assertThat(settings.required()).isFalse();
        assertThat(settings.ports()).isEqualTo(LinkPorts.of("exp-7"));
        assertThat(settings.lostAfter()).isEqualTo(Duration.ofSeconds(60));
        assertThat(settings.patience()).isEqualTo(Duration.ofMinutes(30));
        assertThat(settings.key().origin()).startsWith("the job's id: whoever knows it");
        assertThat(warnings).isEmpty();
    }

    @Test
    void whatTheUserGivesHolds() throws IOException {
        LinkSettings settings = decide(with(
                        SHARED,
                        "link",
                        "required",
                        "link-port",
                        "4711",
                        "lost-after",
                        "7s",
                        "link-secret",
                        secret.toString()))
                .settings()
                .orElseThrow();

        assertThat(settings.required()).isTrue();
        assertThat(settings.ports()).containsExactly(4711);
        assertThat(settings.lostAfter()).isEqualTo(Duration.ofSeconds(7));
        assertThat(settings.key().origin()).isEqualTo("--link-secret: " + secret);
        assertThat(text(settings.key())).startsWith("0123456789abcdef");
    }

    @Test
    void oneNodeHasNobodyToMeet() {
        for (String mode : List.of("auto", "required", "off")) {
            assertThat(decide("nodes", "1", "link", mode)).isEqualTo(ALONE);
        }
    }

    @Test
    void withoutASharedIdTheUserIsToldOnceAndNoMore() {
        LinkDecider.Decision decision = decide(BARE);

        assertThat(decision.settings()).isEmpty();
        assertThat(decision.note().orElseThrow()).contains("--job-id ID");
        assertThat(decide(with(BARE, "link", "off")).note()).isEmpty();
    }

    @Test
    void portAndSecretMakeUpForTheSharedId() {
        LinkSettings one = decide(with(BARE, "link-port", "4711", "link-secret", secret.toString()))
                .settings()
                .orElseThrow();

        assertThat(one.jobId()).isEqualTo("port 4711");
        assertThat(decide(with(BARE, "link-port", "4711")).settings()).isEmpty();
        assertThat(decide(with(BARE, "link-secret", secret.toString())).settings())
                .isEmpty();
    }

    @Test
    void whatMustBeAndCannotIsRefused() {
        assertRefused(launchers -> launchers, with(BARE, "link", "required"), "--link=required", "--job-id ID");
        assertRefused(LauncherNodes::needed, BARE, "engine e needs a link", "--job-id ID");
        assertRefused(LauncherNodes::needed, with(SHARED, "link", "off"), "--link=off", "engine e needs a link", "out");
        assertThatThrownBy(() -> decider("nodes", "3", "node-index", "1", "link", "required")
                        .decide(Optional.empty(), OptionalInt.empty()))
                .isInstanceOf(MusterException.class)
                .hasMessageContainingAll("--link=required", "--hosts A,B,...");
    }

    @Test
    void restartsOfSeveralNodesNeedIt() {
        assertThat(decide(with(SHARED, "restarts", "2"))
                        .settings()
                        .orElseThrow()
                        .required())
                .isTrue();
        assertThat(decide("nodes", "1", "restarts", "2", "link", "off")).isEqualTo(ALONE);
        assertRefused(
                launchers -> launchers,
                with(SHARED, "restarts", "2", "link", "off"),
                "--link=off: --restarts=2 needs a link",
                "Leave --link out");
        assertRefused(launchers -> launchers, with(BARE, "restarts", "2"), "--restarts=2 needs a link", "--job-id ID");
        assertThatThrownBy(() -> decider("nodes", "3", "node-index", "1", "restarts", "2")
                        .decide(Optional.empty(), OptionalInt.empty()))
                .isInstanceOf(MusterException.class)
                .hasMessageContainingAll("--restarts=2", "--hosts A,B,...", "leave --restarts out");
    }

    @Test
    void theEnginesKeyComesBeforeTheIdAndAfterTheUsers() {
        LauncherNodes keyed = launchers(resolved(SHARED)).withKey("/keys/job");

        assertThat(key(keyed, SHARED).isAwaited()).isTrue();
        assertThat(key(keyed, SHARED).origin()).isEqualTo("the job's key /keys/job");
        assertThat(key(keyed, with(SHARED, "link-secret", secret.toString())).origin())
                .contains(secret.toString());
    }

    @Test
    void theVariableHoldsTheSecretOrNamesItsFile() throws IOException {
        ProcessInfo itself = processInfo("correct horse battery staple");
        ProcessInfo file = processInfo(secret.toString());

        assertThat(text(keyIn(itself))).isEqualTo("correct horse battery staple");
        assertThat(keyIn(itself).origin()).isEqualTo("MUSTER_LINK_SECRET");
        assertThat(text(keyIn(file))).startsWith("0123456789abcdef");
        for (String noFile : List.of("/secret+of/base64==", "/base64\udcff")) {
            assertThatThrownBy(() -> keyIn(processInfo(noFile)))
                    .isInstanceOf(MusterException.class)
                    .hasMessageContaining("names no file")
                    .hasMessageNotContaining("base64");
        }
    }

    @Test
    void aSecretThatIsNoneIsRefused() throws IOException {
        Path empty = Files.writeString(directory.resolve("empty"), "\n");
        Files.setPosixFilePermissions(empty, PosixFilePermissions.fromString("rw-------"));
        Path open = Files.writeString(directory.resolve("open"), "0123456789abcdef");
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));

        assertSecretRefused(empty, "is empty");
        assertSecretRefused(open, "can be read or written by others (0644)", "chmod 600");
        assertSecretRefused(directory.resolve("nowhere"), "does not exist");
        assertSecretRefused(directory, "is not a regular file");
    }

    @Test
    void aShortSecretIsWarnedOf() throws IOException {
        assertThat(text(keyIn(processInfo("sesame")))).isEqualTo("sesame");
        assertThat(warnings)
                .singleElement()
                .satisfies(line -> assertThat(line)
                        .contains("MUSTER_LINK_SECRET", "6 bytes")
                        .doesNotContain("sesame"));
    }

    private void assertSecretRefused(Path file, String... words) {
        assertRefused(launchers -> launchers, with(SHARED, "link-secret", file.toString()), words);
    }

    private void assertRefused(UnaryOperator<LauncherNodes> change, String[] options, String... words) {
        Optional<LauncherNodes> launchers = Optional.of(change.apply(launchers(resolved(options))));
        assertThatThrownBy(() -> decider(options).decide(launchers, OptionalInt.empty()))
                .isInstanceOf(MusterException.class)
                .hasMessageContainingAll(words)
                .extracting(refused -> ((MusterException) refused).exitCode())
                .isEqualTo(ExitCode.CONFIGURATION);
    }

    private LinkDecider.Decision decide(String... options) {
        return decider(options).decide(LauncherNodes.ofNodes(resolved(options).node()), OptionalInt.empty());
    }

    private LinkKey key(LauncherNodes launchers, String... options) {
        return decider(options)
                .decide(Optional.of(launchers), OptionalInt.empty())
                .settings()
                .orElseThrow()
                .key();
    }

    private LinkKey keyIn(ProcessInfo processInfo) {
        ResolvedJob resolved = resolved(SHARED);
        return new LinkDecider(resolved, "e", processInfo, warnings::add)
                .decide(Optional.of(launchers(resolved)), OptionalInt.empty())
                .settings()
                .orElseThrow()
                .key();
    }

    private LinkDecider decider(String... options) {
        return new LinkDecider(resolved(options), "e", TestProcesses.of(directory, Map.of()), warnings::add);
    }

    private ProcessInfo processInfo(String secretVariable) {
        return TestProcesses.withLinkSecret(directory, secretVariable);
    }

    private static LauncherNodes launchers(ResolvedJob resolved) {
        return LauncherNodes.ofNodes(resolved.node()).orElseThrow();
    }

    private static ResolvedJob resolved(String... options) {
        return TestResolvedJobs.read(Map.of(), options);
    }

    private static String text(LinkKey key) throws IOException {
        return new String(key.read(), StandardCharsets.UTF_8);
    }

    private static String[] with(String[] options, String... more) {
        return Stream.concat(Stream.of(options), Stream.of(more)).toArray(String[]::new);
    }
}
