package dev.muster.runtime.supervise;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogDirectoryClaimTest {

    @TempDir
    private Path directory;

    private final List<String> warnings = new ArrayList<>();

    private Path claim(LogDirectoryClaim logs, String part, String run) {
        return logs.claim(directory, new RunIdentity("job", part, run, "a test"), warnings::add);
    }

    @Test
    @DisplayName("the first launcher has the log names until it closes its claim, and leaves no lock file")
    void theFirstHasTheNames() {
        LogDirectoryClaim first = new LogDirectoryClaim();
        assertThat(claim(first, "node-0", "one")).isEqualTo(directory);
        try (LogDirectoryClaim second = new LogDirectoryClaim();
                LogDirectoryClaim otherNode = new LogDirectoryClaim()) {
            assertThat(claim(second, "node-0", "two")).isEqualTo(directory.resolve("two"));
            assertThat(claim(otherNode, "node-1", "three")).isEqualTo(directory);
        }
        assertThat(warnings).singleElement().asString().contains("another launcher of job job (node-0)", "run one");
        assertThat(directory.resolve(".job-node-0.lock")).hasContent("run one (a test)");
        first.close();
        assertThat(directory).isEmptyDirectory();
        try (LogDirectoryClaim next = new LogDirectoryClaim()) {
            assertThat(claim(next, "node-0", "four")).isEqualTo(directory);
        }
    }

    @Test
    @DisplayName("a lock file of a killed launcher is no claim")
    void aFileThatNobodyHasLockedIsNoClaim() throws IOException {
        Files.writeString(directory.resolve(".job-node-0.lock"), "a very long line of a run that was killed");
        try (LogDirectoryClaim logs = new LogDirectoryClaim()) {
            assertThat(claim(logs, "node-0", "two")).isEqualTo(directory);
            assertThat(directory.resolve(".job-node-0.lock")).hasContent("run two (a test)");
        }
    }

    @Test
    @DisplayName("all launchers get the log names if no lock file can be written")
    void whereNothingCanBeLockedNobodyIsHindered() throws IOException {
        Files.createSymbolicLink(directory.resolve(".job-link.lock"), directory.resolve("target"));
        Files.createDirectory(directory.resolve(".job-directory.lock"));
        for (String part : List.of("link", "directory", "x".repeat(300))) {
            try (LogDirectoryClaim logs = new LogDirectoryClaim()) {
                assertThat(claim(logs, part, "one")).isEqualTo(directory);
            }
        }
        for (Path nowhere : List.of(Path.of("/proc"), directory.resolve("missing"))) {
            try (LogDirectoryClaim logs = new LogDirectoryClaim()) {
                RunIdentity mine = new RunIdentity("job", "node-0", "one", "a test");
                assertThat(logs.claim(nowhere, mine, warnings::add)).isEqualTo(nowhere);
            }
        }
        assertThat(directory.resolve("target")).doesNotExist();
    }
}
