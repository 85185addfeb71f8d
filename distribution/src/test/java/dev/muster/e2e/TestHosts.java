package dev.muster.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Hosts with a network between them, as namespaces of this machine. {@code src/test/hosts/hosts.sh} makes them. The hosts and their
 * processes end when they are closed, and when this JVM dies.
 */
final class TestHosts implements AutoCloseable {

    /** The scheduler's name of the job, and the domain of the hosts. */
    static final String JOB = "job-e2e";

    private static final Path MAKER = Product.project().resolve("distribution/src/test/hosts/hosts.sh");

    /** The ssh key of all jobs on such hosts. It is shared, since making one takes as long as a launcher. */
    private static final class Key {

        static final Path MADE = make();

        private static Path make() {
            try {
                Path directory = Files.createTempDirectory("muster-e2e-key-");
                Path key = directory.resolve("id_rsa");
                // Java deletes the last registered file first, so the directory is registered first.
                directory.toFile().deleteOnExit();
                key.toFile().deleteOnExit();
                directory.resolve("id_rsa.pub").toFile().deleteOnExit();
                String[] command = {
                    "ssh-keygen", "-q", "-t", "rsa", "-b", "2048", "-N", "", "-C", "the job", "-f", key.toString()
                };
                int exitCode = new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor();
                assertThat(exitCode).as("exit code of ssh-keygen").isZero();
                return key;
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while a key was made", interrupted);
            }
        }
    }

    private final Process maker;
    private final List<TestHost> hosts;

    private TestHosts(Process maker, List<TestHost> hosts) {
        this.maker = maker;
        this.hosts = hosts;
    }

    /** Hosts that end with the scene. If they cannot be made, the test is skipped; in CI it fails. */
    static TestHosts in(Scene scene, int count) {
        Components.requireRoot();
        Components.require("ip", "unshare", "nsenter", "ssh-keygen", "setpriv");
        Path place = scene.beside("hosts");
        Path problems = scene.capture("hosts");
        try {
            Files.createDirectory(place);
            ProcessBuilder builder = new ProcessBuilder(
                            MAKER.toString(),
                            Integer.toString(count),
                            JOB,
                            place.toString(),
                            scene.beside("").toString(),
                            Product.project().toRealPath().toString(),
                            scene.jdk().home().toRealPath().toString())
                    .redirectError(problems.toFile());
            // The processes of the hosts do not count as processes of the test.
            builder.environment().remove(Processes.TAG);
            builder.environment().put("PATH", Invocation.PATH);
            builder.environment().put("HOSTS_KEY", Key.MADE.toString());
            TestHosts made = await(scene, builder.start(), count, problems);
            scene.closes(made);
            return made;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static TestHosts await(Scene scene, Process maker, int count, Path problems) throws IOException {
        SortedMap<Integer, TestHost> ready = new TreeMap<>();
        BufferedReader lines = maker.inputReader();
        while (ready.size() < count) {
            String line = lines.readLine();
            if (line == null || !line.startsWith("host ")) {
                maker.getOutputStream().close();
                throw new AssertionError("no test hosts: " + line + "\n" + Scene.read(problems));
            }
            String[] words = line.split(" ", -1);
            int index = Integer.parseInt(words[1]);
            ready.put(index, new TestHost(scene, index, Long.parseLong(words[2]), maker));
        }
        return new TestHosts(maker, List.copyOf(ready.values()));
    }

    TestHost get(int index) {
        return hosts.get(index);
    }

    int count() {
        return hosts.size();
    }

    Stream<TestHost> all() {
        return hosts.stream();
    }

    /** Asserts that no host has another process or file than at first, but for the logs that ModelArts collects. */
    void assertNothingIsLeft() {
        hosts.forEach(TestHost::assertNothingIsLeft);
    }

    /** Asserts that no port is open on any host. */
    void assertNobodyListens() {
        hosts.forEach(TestHost::assertNobodyListens);
    }

    @Override
    public void close() {
        try {
            maker.getOutputStream().close();
            maker.waitFor();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while hosts went away", interrupted);
        }
    }
}
