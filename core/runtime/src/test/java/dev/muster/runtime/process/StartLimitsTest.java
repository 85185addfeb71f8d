package dev.muster.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartLimitsTest {

    @TempDir
    private Path root;

    @BeforeEach
    void aRoomyMachine() throws IOException {
        write("proc/self/limits", "Max processes  100  200  processes\nMax open files  64  4096  files\n");
        write("proc/self/status", "Uid:\t1000\t1000\t1000\t1000\nThreads:\t17\nCapEff:\t0000000000000000\n");
        write("proc/loadavg", "0.00 0.01 0.05 2/90 6789\n");
        write("proc/self/cgroup", "8:pids:/job/a\n0::/job/b\n");
    }

    @Test
    void whatFitsIsNotRefused() {
        assertThatCode(() -> limits().require(10, 0)).doesNotThrowAnyException();
    }

    @Test
    void theGroupsAboveCountToo() throws IOException {
        write("sys/fs/cgroup/pids/job/a/pids.max", "max\n");
        write("sys/fs/cgroup/pids/job/a/pids.current", "3\n");
        write("sys/fs/cgroup/pids/job/pids.max", "50\n");
        write("sys/fs/cgroup/pids/job/pids.current", "45\n");

        assertThatThrownBy(() -> limits().require(2, 0))
                .hasMessageContaining("2 processes need 7 processes and threads")
                .hasMessageContaining("(/sys/fs/cgroup/pids/job) is 50, and 45 are there already");
    }

    @Test
    void theSecondVersionOfGroupsIsRead() throws IOException {
        write("sys/fs/cgroup/job/b/pids.max", "12\n");
        write("sys/fs/cgroup/job/b/pids.current", "10\n");

        assertThatThrownBy(() -> limits().require(1, 0)).hasMessageContaining("(/sys/fs/cgroup/job/b) is 12");
        assertThat(limits().text()).contains("ulimit -n is 64", "is 12, and 10 are there already");
    }

    @Test
    void processesOfTheUserAreCountedOnlyWhereTheyCanBeTooMany() throws IOException {
        write("proc/7/status", "Uid:\t1000\t1000\t1000\t1000\nThreads:\t80\n");
        write("proc/8/status", "Uid:\t1001\t1001\t1001\t1001\nThreads:\t500\n");

        assertThatThrownBy(() -> limits().require(20, 0))
                .hasMessageContaining("RLIMIT_NPROC (ulimit -u) of user 1000 is 100, and 80 are there already");
        write("proc/self/status", "Uid:\t0\t0\t0\t0\nCapEff:\t0000000000000000\n");
        assertThatCode(() -> limits().require(20, 0)).doesNotThrowAnyException();
    }

    @Test
    void whereNothingCanBeReadNothingIsRefused() {
        assertThatCode(() -> new StartLimits(root.resolve("nothing")).require(1000, 0))
                .doesNotThrowAnyException();
    }

    private StartLimits limits() {
        return new StartLimits(root);
    }

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }
}
