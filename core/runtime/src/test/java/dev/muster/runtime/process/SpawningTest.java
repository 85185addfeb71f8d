package dev.muster.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SpawningTest {

    private final AtomicInteger starts = new AtomicInteger();

    private Process startAfter(int failures, String message) throws IOException {
        return Spawning.of(() -> {
            if (starts.incrementAndGet() <= failures) {
                throw new IOException(message);
            }
            return new ProcessBuilder("/bin/true").start();
        });
    }

    @Test
    void aHelperThatWasSignalledIsReplaced() throws Exception {
        assertThat(startAfter(2, "error=0, Failed to exec spawn helper: pid: 77, signal: 2")
                        .waitFor())
                .isZero();
    }

    @Test
    void whatTheSystemRefusesIsNotTriedAgain() {
        assertThatThrownBy(() -> startAfter(1, "error=2, No such file or directory"))
                .isInstanceOf(IOException.class);
        assertThat(starts).hasValue(1);
    }

    @Test
    void aHelperThatNeverLivesIsToldOf() {
        assertThatThrownBy(() -> startAfter(99, "error=0, Failed to exec spawn helper: pid: 77, exit value: 1"))
                .hasMessageContaining("exit value: 1");
        assertThat(starts).hasValue(3);
    }

    /** What this JDK says of a helper that was killed is known. Now and then it is the program itself that is killed. */
    @Test
    void aKilledHelperOfThisJdkIsReplaced() throws Exception {
        Path children = Path.of("/proc/self/task")
                .resolve(Path.of("/proc/thread-self").toRealPath().getFileName())
                .resolve("children");
        for (int time = 0; time < 30; time++) {
            AtomicBoolean isOver = new AtomicBoolean();
            Thread killer = new Thread(() -> {
                while (!isOver.get() && !killFirst(children)) {
                    Thread.onSpinWait();
                }
            });
            killer.start();

            Process process = Spawning.of(new ProcessBuilder("/bin/sleep", "0"));

            assertThat(process.waitFor()).isIn(0, 137);
            isOver.set(true);
            killer.join();
        }
    }

    private static boolean killFirst(Path children) {
        try {
            String pids = Files.readString(children).strip();
            return !pids.isEmpty()
                    && ProcessHandle.of(Long.parseLong(pids.split(" ", -1)[0]))
                            .map(ProcessHandle::destroyForcibly)
                            .orElse(false);
        } catch (IOException | NumberFormatException endedMeanwhile) {
            return false;
        }
    }
}
