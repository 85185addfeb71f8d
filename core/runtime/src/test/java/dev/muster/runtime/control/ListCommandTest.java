package dev.muster.runtime.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ListCommandTest {

    private static final String OWN = "pid:[5]";

    @TempDir
    private Path root;

    private final List<ServerSocketChannel> servers = new ArrayList<>();
    private long user;
    private Path directory = Path.of("");

    @BeforeEach
    void aMachine() throws IOException {
        user = ((Integer) Files.getAttribute(root, "unix:uid")).longValue();
        directory = Files.createDirectories(root.resolve("tmp/muster-" + user));
    }

    @AfterEach
    void close() throws IOException {
        for (ServerSocketChannel server : servers) {
            server.close();
        }
    }

    private ServerSocketChannel listen(String name) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(directory.resolve(name)));
        servers.add(server);
        return server;
    }

    /** A launcher that answers one line with each of {@code answers}. */
    private void launcher(String name, String... answers) throws IOException {
        ServerSocketChannel server = listen(name);
        Thread thread = new Thread(() -> {
            try (SocketChannel caller = server.accept();
                    BufferedReader lines = new BufferedReader(
                            new InputStreamReader(Channels.newInputStream(caller), StandardCharsets.UTF_8))) {
                for (String answer : answers) {
                    lines.readLine();
                    caller.write(ByteBuffer.wrap((answer + "\n").getBytes(StandardCharsets.UTF_8)));
                }
                lines.readLine();
            } catch (IOException gone) {
                throw new IllegalStateException(gone);
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private List<Map<String, @Nullable Object>> list() {
        return new ListCommand(new LauncherFinder(root, OWN)).list();
    }

    @Test
    void aLauncherTellsWhatItRuns() throws IOException {
        launcher(
                "11-a.sock",
                OWN + " 0 job-7",
                "{\"state\":\"running\",\"part\":\"0\",\"pid\":99,\"grace\":\"2s\",\"processes\":[{\"id\":\"rank-0\"}]}");

        assertThat(list())
                .singleElement()
                .satisfies(entry -> assertThat(entry)
                        .containsEntry("job", "job-7")
                        .containsEntry("part", "0")
                        .containsEntry("pid", 99L)
                        .containsEntry("supervisor", 11L)
                        .containsEntry("user", user)
                        .containsEntry("state", "running")
                        .containsEntry("grace", "2s")
                        .containsEntry("answers", true)
                        .containsEntry("processes", List.of(Map.of("id", "rank-0"))));
    }

    @Test
    void aLauncherMaySayAnything() throws IOException {
        launcher("11-a.sock", OWN + " 0 job-7", "{\"processes\":[null,7,{\"id\":[]}]}");

        assertThat(new ListCommand(new LauncherFinder(root, OWN)).run(false)).isZero();
    }

    @Test
    void oneThatDoesNotAnswerIsShownAllTheSame() throws IOException {
        long living = ProcessHandle.current().pid();
        launcher("11-a.sock", OWN + " 0 job-7");
        listen(living + "-b.sock");

        assertThat(list())
                .hasSize(2)
                .anySatisfy(entry -> assertThat(entry)
                        .containsEntry("job", "job-7")
                        .containsEntry("grace", null)
                        .containsEntry("state", "unknown")
                        .containsEntry("answers", false))
                .anySatisfy(entry -> assertThat(entry)
                        .containsEntry("job", null)
                        .containsEntry("pid", living)
                        .containsEntry("state", "unknown"));
    }

    @Test
    void aLauncherOfAnotherContainerIsNotShown() throws IOException {
        launcher("11-a.sock", "pid:[6] 0 job-7", "{\"state\":\"running\"}");

        assertThat(list()).isEmpty();
    }

    @Test
    void whatIsNoLauncherIsNotShownAndNeitherIsWhatOneHasLeft() throws IOException {
        listen("13-ended.sock").close();
        listen("nonsense.sock");

        assertThat(list()).isEmpty();
    }

    @Test
    void aDirectoryThatBearsAnothersNameIsNotBelieved() throws IOException {
        directory = Files.createDirectories(root.resolve("dev/shm/muster-" + (user + 1)));
        listen("11-a.sock");

        assertThat(list()).isEmpty();
    }
}
