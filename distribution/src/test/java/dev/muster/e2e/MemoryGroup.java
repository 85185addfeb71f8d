package dev.muster.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** A control group of one test that limits memory. It has the version that this machine uses. */
final class MemoryGroup implements AutoCloseable {

    private static final Path FIRST = Path.of("/sys/fs/cgroup/memory");
    private static final Path SECOND = Path.of("/sys/fs/cgroup");

    private final Scene scene;
    private final Path directory;

    private MemoryGroup(Scene scene, Path directory) {
        this.scene = scene;
        this.directory = directory;
    }

    /** Makes a group without a limit for the launcher. Below it, it makes a group for a rank, with a limit in bytes. */
    static MemoryGroup make(Scene scene, long limit) throws IOException {
        boolean isFirst = Files.isWritable(FIRST.resolve("tasks"));
        Path top = isFirst ? FIRST : SECOND;
        Assumptions.assumeTrue(
                isFirst || Files.isWritable(SECOND.resolve("cgroup.subtree_control")),
                "no writable group of memory below " + SECOND);
        Path directory = Files.createDirectory(top.resolve("muster-e2e-" + scene.tag()));
        if (!isFirst) {
            Scene.write(directory.resolve("cgroup.subtree_control"), "+memory");
            Files.createDirectory(directory.resolve("launcher"));
        }
        Path rank = Files.createDirectory(directory.resolve("rank"));
        Scene.write(rank.resolve(isFirst ? "memory.limit_in_bytes" : "memory.max"), Long.toString(limit));
        return new MemoryGroup(scene, directory);
    }

    /** Shell words that put the shell into the group of the launcher. */
    String enter() {
        Path launcher = directory.resolve("launcher");
        return "echo $$ > " + (Files.exists(launcher) ? launcher : directory).resolve("cgroup.procs");
    }

    /** Shell words that put the shell, or the subshell that they run in, into the group of the rank. */
    String enterLimited() {
        return "echo 0 > " + directory.resolve("rank/cgroup.procs");
    }

    @Override
    public void close() {
        Processes.kill(scene.tag());
        for (String name : new String[] {"rank", "launcher", "."}) {
            Path group = directory.resolve(name).normalize();
            Await.until(
                    "the group " + group + " is empty",
                    () -> !Files.exists(group) || group.toFile().delete());
        }
    }
}
