package dev.muster.runtime.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which private directories a later launcher takes for left. */
class DirectoryOwnerTest {

    @TempDir
    Path base;

    /** Numbers of processes mean nothing there; the kernel knows whether the launcher lives. */
    @Test
    void ofADeadContainerGoesWhatNobodyLocks() throws IOException {
        Path dead = Files.createDirectory(base.resolve("muster-dead1"));
        Path living = Files.createDirectory(base.resolve("muster-living1"));
        long own = ProcessHandle.current().pid();
        DirectoryOwner.write(dead, own).orElseThrow().close();
        try (FileChannel lock = DirectoryOwner.write(living, own).orElseThrow()) {
            for (Path directory : List.of(dead, living)) {
                Path file = directory.resolve(DirectoryOwner.FILE);
                String owner = Files.readString(file);
                Files.writeString(file, owner.replaceFirst("pid:\\[[0-9]+]", "pid:[1]"));
            }
            DirectoryOwner.write(Files.createDirectory(base.resolve("muster-next1")), own);

            assertThat(dead).doesNotExist();
            assertThat(lock.isOpen()).isTrue();
            assertThat(living).isDirectory();
        }
    }
}
