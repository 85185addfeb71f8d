package dev.muster.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.OptionValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SshPluginTest {

    private static final String HOSTS = "job-worker-0.job,job-worker-1.job";

    private static final String CONFIG = """
            StrictHostKeyChecking no
            UserKnownHostsFile /dev/null
            Host job-worker-0
              HostName job-worker-0.job
            Host job-worker-1
              HostName job-worker-1.job
            """;

    @TempDir
    private Path root;

    @Test
    void theKeyOfTheJobIsFound() throws IOException {
        write("root/.ssh/config", CONFIG);
        write("root/.ssh/id_rsa", "secret");

        OptionValue key = key("/home/user").orElseThrow();

        assertThat(key.value()).isEqualTo("/root/.ssh/id_rsa");
        assertThat(key.origin()).contains("/root/.ssh/id_rsa", "Volcano").doesNotContain("secret");
    }

    @Test
    void theOwnersDirectoryComesFirst() throws IOException {
        write("root/.ssh/config", CONFIG);
        write("root/.ssh/id_rsa", "root's");
        write("home/user/.ssh/config", CONFIG);
        write("home/user/.ssh/id_rsa", "user's");

        assertThat(key("/home/user").orElseThrow().value()).isEqualTo("/home/user/.ssh/id_rsa");
        assertThat(key("relative").orElseThrow().value()).isEqualTo("/root/.ssh/id_rsa");
    }

    @Test
    void aKeyOfTheImageIsNone() throws IOException {
        write("root/.ssh/id_rsa", "everybody's");
        assertThat(key("/root")).isEmpty();

        write("root/.ssh/config", "Host git\n  HostName git.example.com\n");
        assertThat(key("/root")).isEmpty();

        write("root/.ssh/config", CONFIG.replace("job-worker-1", "another"));
        assertThat(key("/root")).isEmpty();
    }

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private Optional<OptionValue> key(String home) {
        return SshPlugin.key(new EvidenceReader(new LocalEvidence(
                new TreeMap<>(Map.of("HOME", home, "VC_WORKER_HOSTS", HOSTS)),
                TestResolvedJobs.MACHINE,
                new MachineFiles(root),
                Optional.empty(),
                true,
                Optional.empty(),
                command -> "")));
    }
}
