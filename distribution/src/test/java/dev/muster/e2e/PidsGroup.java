package dev.muster.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** A control group of one test that limits processes. Closing it ends all processes in it. */
final class PidsGroup implements AutoCloseable {

    private static final Path TOP = Path.of("/sys/fs/cgroup/pids");

    private final Scene scene;
    private final Path directory;

    private PidsGroup(Scene scene, Path directory) {
        this.scene = scene;
        this.directory = directory;
    }

    static PidsGroup make(Scene scene) throws IOException {
        Assumptions.assumeTrue(Files.isWritable(TOP.resolve("tasks")), "no writable group of processes at " + TOP);
        return new PidsGroup(scene, Files.createDirectory(TOP.resolve("muster-e2e-" + scene.tag())));
    }

    /** Limits the number of processes and threads in the group. */
    void limit(int most) {
        Scene.write(directory.resolve("pids.max"), Integer.toString(most));
    }

    /** Leaves room for {@code more} processes and threads beyond those that run now. */
    void leaveRoomFor(int more) {
        limit(Integer.parseInt(Scene.read(directory.resolve("pids.current")).strip()) + more);
    }

    void unlimit() {
        Scene.write(directory.resolve("pids.max"), "max");
    }

    /** The job in this group. */
    Invocation around(Invocation job) {
        return job.after(enter());
    }

    /** The job in this group. The launcher cannot read the limit. */
    Invocation unseenAround(Invocation job) {
        Components.requireRoot();
        Components.require("unshare", "mount");
        return job.after(enter() + "; mount -t tmpfs none /sys/fs/cgroup")
                .behind("unshare", "-m", "--propagation", "private");
    }

    /** Shell words that put the shell into the group. */
    String enter() {
        return "echo $$ > " + processes();
    }

    /** The file that lists the processes of the group. */
    String processes() {
        return directory.resolve("cgroup.procs").toString();
    }

    @Override
    public String toString() {
        return directory.toString();
    }

    @Override
    public void close() {
        Processes.kill(scene.tag());
        Await.until("the group of processes is empty", () -> directory.toFile().delete());
    }
}
