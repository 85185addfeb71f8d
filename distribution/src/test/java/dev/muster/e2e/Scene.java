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
import java.util.concurrent.atomic.AtomicInteger;

/** Where a test plays: a JDK, a directory of its own, and a tag by which everything that it starts is found again. */
final class Scene {

    /** How long a process may take to vanish after the launcher has ended. */
    private static final Duration TO_VANISH = Duration.ofSeconds(2);

    private final Jdk jdk;
    private final String tag = UUID.randomUUID().toString();
    private final Path root;
    private final Path directory;
    private final AtomicInteger captures = new AtomicInteger();

    Scene(Jdk jdk) {
        this.jdk = jdk;
        try {
            root = Files.createTempDirectory("muster-e2e-").toRealPath();
            // Some tests go on as another user.
            Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
            directory = Files.createDirectory(root.resolve("here"));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    Jdk jdk() {
        return jdk;
    }

    String tag() {
        return tag;
    }

    /** The directory that the launcher is called in. */
    Path directory() {
        return directory;
    }

    /** A path beside that directory. */
    Path beside(String name) {
        return root.resolve(name);
    }

    /** The packaged launcher. */
    Invocation muster(String... arguments) {
        return command(Product.startScript(Product.home()).toString()).with(arguments);
    }

    /** The launcher as a plain jar. */
    Invocation jar(String... arguments) {
        return command(jdk.java().toString(), "-jar", Product.jar().toString()).with(arguments);
    }

    /** Any other program. */
    Invocation command(String... words) {
        return new Invocation(this, List.of(words));
    }

    /** A job of so many ranks on this one server, with a table of its own and no platform around it. */
    Invocation job(int ranks, String... options) {
        write(beside("table.json"), RankTables.oneServer(ranks));
        return muster("--engine", "ascend", "--platform", "none", "--job-id", "e2e")
                .with("--rank-table", beside("table.json").toString())
                .with(options)
                .with("--");
    }

    /** Where a {@link #job} has its logs. */
    Path logs() {
        return directory.resolve("muster-logs");
    }

    Path log(int rank) {
        return logs().resolve("e2e-proc-rank-" + rank + "-device-" + rank + ".txt");
    }

    /** An executable shell script beside the directory; {@code $scene} in it is the path of what is beside. */
    String script(String name, String... lines) {
        Path file = beside(name);
        write(file, "#!/bin/sh\nscene=" + root + "\n" + String.join("\n", lines) + "\n");
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

    /** Demands that everything this test has started is gone. */
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

    /** @param failed the test has failed already: what is left over is no news then */
    void clear(boolean failed) {
        boolean clean = failed
                || Await.holdsWithin(TO_VANISH, () -> Processes.tagged(tag).isEmpty());
        List<String> left = Processes.tagged(tag);
        Processes.kill(tag);
        Await.holdsWithin(TO_VANISH, () -> Processes.tagged(tag).isEmpty());
        remove(root);
        assertThat(clean ? List.of() : left).as("processes left over").isEmpty();
    }

    private static void remove(Path top) {
        List<Path> paths = new ArrayList<>();
        try (var walk = Files.walk(top)) {
            walk.forEach(path -> {
                // What is in a read-only directory could not be removed.
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
