package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The environment of a test: a JDK, a directory, and a tag that all processes of the test carry. */
final class Scene {

    /** How long a process may take to end after the launcher has ended. */
    private static final Duration TO_VANISH = Duration.ofSeconds(10);

    /** How many characters of a command messages show. */
    static final int COMMAND_SHOWN = 400;

    private Path home;
    private final Jdk jdk;
    private final EngineUnderTest engine;
    private final String tag = UUID.randomUUID().toString();
    private final Path root;
    private final Path directory;
    private final AtomicInteger captures = new AtomicInteger();
    private final List<TestHosts> hosts = new ArrayList<>();
    private final List<Launched> launched = new CopyOnWriteArrayList<>();

    /** @param home of the package under test */
    Scene(Path home, Jdk jdk, EngineUnderTest engine) {
        this.home = home;
        this.jdk = jdk;
        this.engine = engine;
        try {
            root = Files.createTempDirectory("muster-e2e-").toRealPath();
            // Some tests run commands as another user.
            Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
            directory = Files.createDirectory(root.resolve("here"));
            Files.setPosixFilePermissions(
                    Files.createDirectory(root.resolve("t")), PosixFilePermissions.fromString("rwxrwxrwx"));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    Jdk jdk() {
        return jdk;
    }

    /** The engine of the {@link #job}s. */
    EngineUnderTest engine() {
        return engine;
    }

    String tag() {
        return tag;
    }

    /** The id of a {@link #job}. It differs in each scene, since a launcher waits for others of its job. */
    String jobId() {
        return "e2e-" + tag.substring(0, 8);
    }

    /** The directory that the launcher is called in. */
    Path directory() {
        return directory;
    }

    /** A path beside {@link #directory}. */
    Path beside(String name) {
        return root.resolve(name);
    }

    /** Switches to the package without Java, which looks for one. */
    Scene generic() {
        home = Product.home();
        return this;
    }

    /** The packaged launcher. */
    Invocation muster(String... arguments) {
        return command(Product.startScript(home).toString()).with(arguments);
    }

    /** The launcher as a plain jar. */
    Invocation jar(String... arguments) {
        return command(jdk.java().toString(), "-jar", Product.jar().toString()).with(arguments);
    }

    /** Any other program. */
    Invocation command(String... words) {
        return new Invocation(this, List.of(words));
    }

    /** A job of {@code processes} processes on this machine, without a platform. */
    Invocation job(int processes, String... options) {
        return apart(muster(engine.job(this, processes)).with(options).with("--"));
    }

    /** Gives a job its own directory for private directories. */
    Invocation apart(Invocation job) {
        return job.set("TMPDIR", beside("t").toString());
    }

    /** The same {@link #job}, started by the plain jar. */
    Invocation jarJob(int processes, String... options) {
        return apart(jar(engine.job(this, processes)).with(options).with("--"));
    }

    /** The plan of the same {@link #job}. */
    Invocation plan(int processes, String... options) {
        return muster("plan").with(engine.job(this, processes)).with(options).with("--");
    }

    /** Where a {@link #job} has its logs. */
    Path logs() {
        return directory.resolve("muster-logs");
    }

    /** The log of a process of a {@link #job}. */
    Path log(int process) {
        return logs().resolve(jobId() + "-" + engine.logName(process) + ".txt");
    }

    /** What a {@link #job} leaves for machines to read. */
    Path resultFile() {
        return logs().resolve(jobId() + "-node-0-result.json");
    }

    /**
     * An executable shell script beside the directory. In it, {@code $scene} is the path of {@link #beside}, and {@code $me} is the
     * number of the process. A process calls {@code finish} if it must not end with 0 before others have ended: a task then waits until
     * the services have ended by themselves.
     */
    String script(String name, String... lines) {
        Path file = beside(name);
        write(file, "#!/bin/sh\nscene=" + root + "\n" + engine.preamble() + String.join("\n", lines) + "\n");
        file.toFile().setExecutable(true, false);
        return file.toString();
    }

    static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot read " + file, failed);
        }
    }

    /** A name for each process, for example {@code ready-0}, {@code ready-1}. */
    static String[] each(String prefix, int processes) {
        return IntStream.range(0, processes).mapToObj(number -> prefix + number).toArray(String[]::new);
    }

    /** Asserts that files exist beside the directory. */
    void assertFiles(String... names) {
        for (String name : names) {
            assertThat(beside(name)).exists();
        }
    }

    /** Waits for files beside the directory. */
    void awaitFiles(String... names) {
        for (String name : names) {
            Await.until(name + " is there", () -> Files.exists(beside(name)));
        }
    }

    /** All paths below a directory, relative to it, sorted. */
    static List<String> tree(Path top) {
        try (var paths = Files.walk(top)) {
            return paths.map(path -> top.relativize(path).toString()).sorted().toList();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** Asserts that all processes of this test have ended. */
    void assertNothingIsLeft() {
        Await.until(
                TO_VANISH,
                () -> "no process is left; there are " + Processes.tagged(tag),
                () -> Processes.tagged(tag).isEmpty());
    }

    /** A new file for the output of a process. */
    Path capture(String name) {
        return root.resolve("captured-" + captures.incrementAndGet() + "." + name);
    }

    /** Remembers a process for {@link #account}. */
    Launched launched(Launched process) {
        launched.add(process);
        return process;
    }

    /** The message of a failed test: all processes that it has started, their output, and those that still run. */
    String account() {
        String started = launched.stream().map(Launched::toString).collect(Collectors.joining("\n"));
        String running = Processes.tagged(tag).stream()
                .map(process -> Result.shortened(process, COMMAND_SHOWN))
                .collect(Collectors.joining("\n"));
        return "the test had started:\n" + started + "\nof that runs:\n" + running;
    }

    /** Registers hosts that are closed with the scene. */
    void closes(TestHosts used) {
        hosts.add(used);
    }

    /** @param failed the test has failed already, so processes that are left are no further failure */
    void clear(boolean failed) {
        boolean clean = failed
                || Await.holdsWithin(TO_VANISH, () -> Processes.tagged(tag).isEmpty());
        // Each call searches all processes of the machine, which takes long.
        List<String> left = clean && !failed ? List.of() : Processes.tagged(tag);
        if (!left.isEmpty()) {
            // A launcher may have started another process meanwhile.
            Await.holdsWithin(TO_VANISH, () -> {
                Processes.kill(tag);
                return Processes.tagged(tag).isEmpty();
            });
        }
        hosts.forEach(TestHosts::close);
        remove(root);
        assertThat(clean ? List.of() : left).as("processes left over").isEmpty();
    }

    static void remove(Path top) {
        List<Path> paths = new ArrayList<>();
        try (var walk = Files.walk(top)) {
            walk.forEach(path -> {
                // Files in a read-only directory cannot be removed.
                if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                    path.toFile().setWritable(true);
                }
                paths.add(path);
            });
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        for (int index = paths.size() - 1; index >= 0; index--) {
            paths.get(index).toFile().delete();
        }
        assertThat(Files.exists(top)).as("%s is still there", top).isFalse();
    }
}
