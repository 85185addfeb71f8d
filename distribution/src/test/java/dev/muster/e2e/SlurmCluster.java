package dev.muster.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A real Slurm cluster of namespaces of this machine. {@code src/test/slurm/cluster.sh} makes it. The cluster and all its processes end
 * when it is closed, and when this JVM dies. Tests share one cluster, since making it takes a second. Each test has its own directory,
 * which all nodes see.
 */
final class SlurmCluster implements AutoCloseable {

    /** The lock of tests with a cluster: only one cluster at a time can use the machine's control groups. */
    static final String CONTROL_GROUPS = "dev.muster.e2e.SlurmCluster";

    private static final Path MAKER = Product.project().resolve("distribution/src/test/slurm/cluster.sh");

    private final Process maker;
    private final Path place;
    private final long controller;
    private final AtomicInteger directories = new AtomicInteger();

    private SlurmCluster(Process maker, Path place, long controller) {
        this.maker = maker;
        this.place = place;
        this.controller = controller;
    }

    /**
     * A cluster with a node for each number of GPUs, called n1, n2 and so on.
     *
     * @param killWait seconds between Slurm's SIGTERM and SIGKILL
     */
    static SlurmCluster start(int killWait, int... gpus) {
        Components.requireSlurm();
        try {
            Path place = Files.createTempDirectory("muster-slurm-").toRealPath();
            Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rwxr-xr-x"));
            Files.createDirectory(place.resolve("home"));
            Path problems = place.resolve("problems");
            ProcessBuilder builder =
                    new ProcessBuilder(command(place, killWait, gpus)).redirectError(problems.toFile());
            builder.environment().put("PATH", Invocation.PATH);
            Process maker = builder.start();
            String line = maker.inputReader().readLine();
            if (line == null || !line.startsWith("cluster ")) {
                maker.getOutputStream().close();
                throw new AssertionError("no Slurm cluster: " + line + "\n" + Scene.read(problems));
            }
            return new SlurmCluster(maker, place, Long.parseLong(line.substring("cluster ".length())));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static List<String> command(Path place, int killWait, int... gpus) throws IOException {
        Path own = Files.createDirectory(place.resolve("cluster"));
        List<String> words = new ArrayList<>(List.of(MAKER.toString(), own.toString(), Integer.toString(killWait)));
        Arrays.stream(gpus).mapToObj(Integer::toString).forEach(words::add);
        words.addAll(
                List.of("--", place.toString(), Product.project().toRealPath().toString()));
        for (Jdk jdk : Jdk.all()) {
            words.add(jdk.home().toRealPath().toString());
        }
        return words;
    }

    /** The home directory of all users of the cluster. */
    Path home() {
        return place.resolve("home");
    }

    /** A new directory in it. */
    Path directory() {
        try {
            return Files.createDirectory(home().resolve("job-" + directories.incrementAndGet()));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Runs a command on the node where users log in, in a directory of the cluster. */
    Invocation here(Invocation command, Path directory) {
        return command.set("SLURM_CONF", place.resolve("cluster/slurm.conf").toString())
                .set("HOME", home().toString())
                .behind("env", "--chdir=" + directory)
                .behind(entering());
    }

    private String[] entering() {
        String target = Long.toString(controller);
        return new String[] {"nsenter", "--target", target, "--mount", "--uts", "--ipc", "--net", "--pid"};
    }

    /** The log of the controller, for the message of a failed test. */
    String log() {
        return Scene.read(place.resolve("cluster/log/slurmctld.log"));
    }

    /** Whether the cluster's process still runs. */
    boolean isRunning() {
        return Processes.isRunning(controller);
    }

    @Override
    public void close() {
        try {
            maker.getOutputStream().close();
            maker.waitFor();
            try (Stream<Path> paths = Files.walk(place)) {
                paths.sorted((one, other) -> other.compareTo(one))
                        .forEach(path -> path.toFile().delete());
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a cluster went away", interrupted);
        }
    }
}
