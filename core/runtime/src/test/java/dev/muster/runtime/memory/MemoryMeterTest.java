package dev.muster.runtime.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.process.Termination;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How many processes the kernel killed for memory, as read from control groups of both versions. */
class MemoryMeterTest {

    private static final Termination KILLED = Termination.signalled(9);
    private static final Termination FAILED = Termination.exited(1);

    @TempDir
    private Path root;

    private void write(String file, String text) {
        try {
            Files.createDirectories(root.resolve(file).getParent());
            Files.writeString(root.resolve(file), text);
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private void first(String name, String mounted) {
        write("proc/self/cgroup", "4:memory:" + name + "\n0::/\n");
        write("proc/self/mountinfo", "36 25 0:31 " + mounted + " /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n");
    }

    private void second(String name, String mounted) {
        write("proc/self/cgroup", "0::" + name + "\n");
        write(
                "proc/self/mountinfo",
                "30 24 0:26 " + mounted + " /sys/fs/cgroup ro,nosuid - cgroup2 cgroup2 rw,nsdelegate\n");
    }

    private void kills(String group, int count) {
        write(
                "sys/fs/cgroup/memory" + group + "/memory.oom_control",
                "oom_kill_disable 0\nunder_oom 0\noom_kill " + count);
    }

    private void events(String group, int count) {
        write(
                "sys/fs/cgroup" + group + "/memory.events",
                "low 0\nmax 9\noom 4\noom_kill " + count + "\noom_group_kill 0\n");
    }

    private String about(MemoryMeter meter, Termination how) {
        return meter.sinceTheStart().about(how).orElse("");
    }

    @Test
    @DisplayName("version 1 tells the kills since the start, and the limit")
    void versionOneCountsKills() {
        first("/docker/1f", "/docker/1f");
        kills("", 2);
        write("sys/fs/cgroup/memory/memory.limit_in_bytes", "67108864\n");
        MemoryMeter meter = new MemoryMeter(root);
        assertThat(about(meter, KILLED))
                .isEqualTo("no sign of the kernel's memory killer: it killed nothing of this container during the run");
        kills("", 3);
        assertThat(about(meter, KILLED))
                .isEqualTo("the kernel killed 1 process of this container for memory during the run; this fits"
                        + " (memory limit 64 MiB, /sys/fs/cgroup/memory/memory.limit_in_bytes)");
        assertThat(about(meter, Termination.exited(247))).contains("; this fits (");
        assertThat(about(meter, FAILED))
                .contains("the kernel killed 1 process of this container", "it may have hit a child of this process");
        assertThat(meter.sinceTheStart().killed()).hasValue(1);
    }

    @Test
    @DisplayName("version 1 counts kills in groups below, and reads limits in groups above")
    void versionOneCountsGroupsBelow() {
        first("/pod/one", "/");
        kills("", 70);
        kills("/pod", 7);
        kills("/pod/one", 0);
        write("sys/fs/cgroup/memory/pod/memory.limit_in_bytes", "1073741824\n");
        write("sys/fs/cgroup/memory/pod/one/memory.limit_in_bytes", "9223372036854771712\n");
        MemoryMeter meter = new MemoryMeter(root);
        kills("", 71);
        kills("/pod", 8);
        assertThat(meter.sinceTheStart().isSuspect()).isFalse();
        kills("/pod/one/rank", 2);
        assertThat(about(meter, KILLED))
                .startsWith("the kernel killed 2 processes of this container")
                .endsWith("(memory limit 1 GiB, /sys/fs/cgroup/memory/pod/memory.limit_in_bytes)");
    }

    @Test
    @DisplayName("version 2 counts the groups below in the group's own count")
    void versionTwoCountsKills() {
        second("/a/b", "/");
        events("/a/b", 4);
        events("/a/b/c", 2);
        write("sys/fs/cgroup/a/b/memory.max", "max\n");
        write("sys/fs/cgroup/a/memory.max", "209715200\n");
        write("sys/fs/cgroup/memory.max", "107374182400\n");
        MemoryMeter meter = new MemoryMeter(root);
        assertThat(about(meter, FAILED)).isEmpty();
        events("/a/b", 6);
        events("/a/b/c", 3);
        assertThat(about(meter, KILLED))
                .isEqualTo("the kernel killed 2 processes of this container for memory during the run; this fits"
                        + " (memory limit 200 MiB, /sys/fs/cgroup/a/memory.max)");
    }

    @Test
    @DisplayName("a group that is the root of its namespace is read, also at a path with blanks")
    void namespacesAreFollowed() {
        write("proc/self/cgroup", "0::/\n");
        write("proc/self/mountinfo", "30 24 0:26 / /sys/fs/my\\040groups ro shared:4 - cgroup2 cgroup rw\n");
        write("sys/fs/my groups/memory.events", "oom_kill 0\n");
        MemoryMeter meter = new MemoryMeter(root);
        write("sys/fs/my groups/memory.events", "oom_kill 1\n");
        assertThat(about(meter, KILLED)).contains("killed 1 process of this container");
    }

    @Test
    @DisplayName("the count of the whole machine is used if no group can be read")
    void theMachineCounts() {
        second("/../other", "/");
        write("proc/vmstat", "nr_free_pages 1\noom_kill 3\n");
        MemoryMeter meter = new MemoryMeter(root);
        assertThat(about(meter, KILLED)).contains("no sign", "nothing of this machine");
        write("proc/vmstat", "nr_free_pages 1\noom_kill 5\n");
        assertThat(about(meter, KILLED))
                .contains(
                        "killed 2 processes of this machine", "cannot be read (its control group is not mounted here)")
                .endsWith("; this may fit");
    }

    @Test
    @DisplayName("the answer says so if no count can be read")
    void nothingCanBeRead() {
        MemoryMeter meter = new MemoryMeter(root);
        assertThat(about(meter, KILLED))
                .isEqualTo(
                        "whether the kernel's memory killer did it cannot be read: its control group is not mounted here");
        assertThat(about(meter, FAILED)).isEmpty();
        second("/", "/");
        events("", 0);
        write("sys/fs/cgroup/memory.events", "low 0\n");
        assertThat(about(new MemoryMeter(root), KILLED))
                .contains("cannot be read: there is no count in", "memory.events");
    }

    @Test
    @DisplayName("kills in groups below the machine's root group are not counted, since they belong to others")
    void othersKillsAreNotOurs() throws IOException {
        first("/", "/");
        Files.createDirectories(root.resolve("proc/self/ns"));
        Files.createSymbolicLink(root.resolve("proc/self/ns/cgroup"), Path.of("cgroup:[4026531835]"));
        kills("", 0);
        kills("/docker/1f", 0);
        MemoryMeter meter = new MemoryMeter(root);
        kills("/docker/1f", 1);
        assertThat(meter.sinceTheStart().isSuspect()).isFalse();
    }
}
