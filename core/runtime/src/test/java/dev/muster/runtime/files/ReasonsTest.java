package dev.muster.runtime.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ReasonsTest {

    @Test
    void putsTheCommonOnesIntoWords() {
        assertThat(Reasons.of(new AccessDeniedException("/x"))).isEqualTo("permission denied");
        assertThat(Reasons.of(new NoSuchFileException("/x"))).isEqualTo("no such file or directory");
        assertThat(Reasons.of(new NotDirectoryException("/x"))).isEqualTo("not a directory");
        assertThat(Reasons.of(new FileAlreadyExistsException("/x"))).isEqualTo("it exists already");
        assertThat(Reasons.of(new FileSystemLoopException("/x"))).isEqualTo("too many levels of symbolic links");
    }

    @Test
    void takesTheSystemsWordsForTheRest() {
        assertThat(Reasons.of(new FileSystemException("/x", null, "Read-only file system")))
                .isEqualTo("read-only file system");
        assertThat(Reasons.of(new IOException("NFS server gone\n"))).isEqualTo("NFS server gone\\n");
    }

    @Test
    void neverSaysNothing() {
        assertThat(Reasons.of(new FileSystemException("/x"))).isEqualTo("FileSystemException");
        assertThat(Reasons.of(new IOException(" "))).isEqualTo("IOException");
    }

    @Test
    void readsAFullDisk() {
        IOException full =
                catchThrowableOfType(IOException.class, () -> Files.write(Path.of("/dev/full"), new byte[] {1}));

        assertThat(Reasons.of(full)).isEqualTo("no space left on device");
    }
}
