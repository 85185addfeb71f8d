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
 * Hosts with a network between them, as namespaces of this machine: see {@code src/test/hosts/hosts.sh}, which makes them. They
 * and everything on them are gone when they are closed, and also when this JVM dies.
 */
final class TestHosts implements AutoCloseable {

    /** What the scheduler calls the job, and with it the hosts' domain. */
    static final String JOB = "job-e2e";

    private static final Path MAKER = Product.project().resolve("distribution/src/test/hosts/hosts.sh");

    /** The key of all jobs on such hosts: to make one takes as long as a launcher. */
    private static final class Key {

        static final Path MADE = make();

        private static Path make() {
            try {
                Path directory = Files.createTempDirectory("muster-e2e-key-");
                Path key = directory.resolve("id_rsa");
                // What is asked last goes first.
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

    /** Hosts that go away with the scene. Where they cannot be made the test does not run; in CI it fails. */
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
            // Its processes are no processes of the test.
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

    /** Demands that every host is as it was when it was made, but for what ModelArts collects: no process, no file more. */
    void assertNothingIsLeft() {
        hosts.forEach(TestHost::assertNothingIsLeft);
    }

    /** Demands that no port is open on any host any more. */
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
