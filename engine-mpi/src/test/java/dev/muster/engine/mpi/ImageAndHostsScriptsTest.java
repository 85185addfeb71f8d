package dev.muster.engine.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the scripts do where ssh or sshd are not the job's own. */
class ImageAndHostsScriptsTest {

    @TempDir
    Path directory;

    private Shell shell;

    @BeforeEach
    void makeShell() throws IOException {
        shell = new Shell(directory);
    }

    @Test
    void whereNoConfigurationIsOfTheJobItsMpirunsWayIsTaken() throws Exception {
        shell.program("ssh", "echo \"ssh $*\" >>" + directory.resolve("asked"));
        shell.program("agent", "echo \"agent $*\" >>" + directory.resolve("asked"));

        login(Map.of("OMPI_MCA_plm_rsh_agent", "agent -v : rsh", "OMPI_MCA_plm_rsh_args", "-o A=*"));
        login(Map.of("HYDRA_LAUNCHER_EXTRA_ARGS", "-l u"));

        assertThat(directory.resolve("asked")).hasContent("""
                        agent -v -p 1 -o A=* h ls /sys/class/net
                        ssh -o BatchMode=yes -o ConnectTimeout=10 -p 1 -l u h ls /sys/class/net
                        """);
    }

    @Test
    void theImagesSshdLocksNobodyOutForLooking() throws Exception {
        Path config = Files.writeString(directory.resolve("sshd_config"), "Port 1\nMatch user a\n");
        shell.program("sshd", "exit 0");
        assertThat(prepare(config).code()).isZero();
        assertThat(config).hasContent("PerSourcePenalties no\nPort 1\nMatch user a\n");

        Files.writeString(config, "Port 1\n");
        shell.program("sshd", "case \"$*\" in *PerSource*) exit 255 ;; esac");
        assertThat(prepare(config).code()).isZero();
        assertThat(config).hasContent("Port 1\n");

        shell.program("sshd", "echo 'sshd: no hostkeys available -- exiting.' >&2; exit 1");
        assertThat(prepare(config).code()).isEqualTo(69);
    }

    private Shell.Ended prepare(Path config) throws Exception {
        return shell.run(
                Map.of(),
                Files.writeString(directory.resolve("prepare.sh"), PrepareScript.FILE.content())
                        .toString(),
                directory.toString(),
                directory.resolve("bin/sshd").toString(),
                config.toString(),
                "",
                "use",
                "w-0",
                "w-1",
                "apart");
    }

    private void login(Map<String, String> variables) throws Exception {
        String script = Files.writeString(directory.resolve("login.sh"), Scripts.LOGIN.content())
                .toString();
        shell.run(variables, script, directory.toString(), "-", "1", "h", "1");
    }
}
