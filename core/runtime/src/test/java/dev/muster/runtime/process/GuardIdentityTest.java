package dev.muster.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who is written down as the guard, for launchers that come later, and what it is told by. */
class GuardIdentityTest {

    private final long parent = ProcessHandle.current().parent().orElseThrow().pid();

    @Test
    void theParentIsTheGuard() {
        assertThat(Guard.identity(parent, parent))
                .isEqualTo(ProcessTable.identify(parent).orElseThrow());
    }

    @Test
    @DisplayName(
            "13.2 a guard that was killed before the launcher could look is dead, and not process 1, which has its child now")
    void aDeadGuardIsNobody() {
        ProcessId dead = Guard.identity(4_194_303, parent);
        assertThat(dead.pid()).isEqualTo(4_194_303);
        assertThat(ProcessTable.isThere(dead.pid(), dead.start())).isFalse();
        ProcessId reused = Guard.identity(ProcessHandle.current().pid(), parent);
        assertThat(ProcessTable.isThere(reused.pid(), reused.start())).isFalse();
    }

    @Test
    @DisplayName("9.1d a file that has the number of a pipe of the guard's is neither emptied nor written")
    void onlyPipesAreTheGuards(@TempDir Path directory) throws IOException {
        Path own = Files.writeString(directory.resolve("own"), "of the JVM");
        try (FileChannel open = FileChannel.open(own)) {
            String number = numberOf(own);
            Guard guard = Guard.of(Optional.of(number + ":" + number + ":" + parent));
            guard.verdict(0);
            assertThat(guard.isThere()).isFalse();
            assertThat(open.size()).isEqualTo(10);
        }
    }

    private static String numberOf(Path file) throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.filter(descriptor -> leadsTo(descriptor, file))
                    .findFirst()
                    .orElseThrow()
                    .getFileName()
                    .toString();
        }
    }

    private static boolean leadsTo(Path descriptor, Path file) {
        try {
            return Files.readSymbolicLink(descriptor).equals(file.toRealPath());
        } catch (IOException closed) {
            return false;
        }
    }
}
