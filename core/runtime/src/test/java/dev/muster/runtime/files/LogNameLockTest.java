package dev.muster.runtime.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogNameLockTest {

    @TempDir
    private Path directory;

    @Test
    @DisplayName("the first has the names until it gives them up, and leaves no file")
    void theFirstHasTheNames() {
        LogNameLock first = LogNameLock.make(directory, "job-node-0", "run one");
        assertThat(first.other()).isEmpty();
        try (LogNameLock second = LogNameLock.make(directory, "job-node-0", "run two");
                LogNameLock otherNode = LogNameLock.make(directory, "job-node-1", "run three")) {
            assertThat(second.other()).contains("run one");
            assertThat(otherNode.other()).isEmpty();
        }
        assertThat(directory.resolve(".job-node-0.lock")).hasContent("run one");
        first.close();
        assertThat(directory).isEmptyDirectory();
        try (LogNameLock next = LogNameLock.make(directory, "job-node-0", "run four")) {
            assertThat(next.other()).isEmpty();
        }
    }

    @Test
    @DisplayName("what a killed launcher left is no claim")
    void aFileThatNobodyHasLockedIsNoClaim() throws IOException {
        Files.writeString(directory.resolve(".job-node-0.lock"), "a very long line of a run that was killed");
        try (LogNameLock claim = LogNameLock.make(directory, "job-node-0", "run two")) {
            assertThat(claim.other()).isEmpty();
            assertThat(directory.resolve(".job-node-0.lock")).hasContent("run two");
        }
    }

    @Test
    @DisplayName("where nothing can be written, or something else has the name, all have the names")
    void whereNothingCanBeLockedNobodyIsHindered() throws IOException {
        Files.createSymbolicLink(directory.resolve(".link.lock"), directory.resolve("target"));
        Files.createDirectory(directory.resolve(".directory.lock"));
        for (LogNameLock claim : List.of(
                LogNameLock.make(Path.of("/proc"), "job-node-0", "one"),
                LogNameLock.make(directory.resolve("missing"), "job-node-0", "one"),
                LogNameLock.make(directory, "link", "one"),
                LogNameLock.make(directory, "directory", "one"),
                LogNameLock.make(directory, "x".repeat(300), "one"))) {
            assertThat(claim.other()).isEmpty();
            claim.close();
        }
        assertThat(directory.resolve("target")).doesNotExist();
    }
}
