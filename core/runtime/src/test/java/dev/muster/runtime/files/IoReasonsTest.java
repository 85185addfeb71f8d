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

class IoReasonsTest {

    @Test
    void putsTheCommonOnesIntoWords() {
        assertThat(IoReasons.of(new AccessDeniedException("/x"))).isEqualTo("permission denied");
        assertThat(IoReasons.of(new NoSuchFileException("/x"))).isEqualTo("no such file or directory");
        assertThat(IoReasons.of(new NotDirectoryException("/x"))).isEqualTo("not a directory");
        assertThat(IoReasons.of(new FileAlreadyExistsException("/x"))).isEqualTo("it exists already");
        assertThat(IoReasons.of(new FileSystemLoopException("/x"))).isEqualTo("too many levels of symbolic links");
    }

    @Test
    void takesTheSystemsWordsForTheRest() {
        assertThat(IoReasons.of(new FileSystemException("/x", null, "Read-only file system")))
                .isEqualTo("read-only file system");
        assertThat(IoReasons.of(new IOException("NFS server gone\n"))).isEqualTo("NFS server gone\\n");
    }

    @Test
    void neverSaysNothing() {
        assertThat(IoReasons.of(new FileSystemException("/x"))).isEqualTo("FileSystemException");
        assertThat(IoReasons.of(new IOException(" "))).isEqualTo("IOException");
    }

    @Test
    void readsAFullDisk() {
        IOException full =
                catchThrowableOfType(IOException.class, () -> Files.write(Path.of("/dev/full"), new byte[] {1}));

        assertThat(IoReasons.of(full)).isEqualTo("no space left on device");
    }
}
