package dev.muster.engine.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The scripts with an ssh or sshd that the job did not start. */
class ImageAndHostsScriptsTest {

    @TempDir
    Path directory;

    private Shell shell;

    @BeforeEach
    void makeShell() throws IOException {
        shell = new Shell(directory);
    }

    @Test
    void hostsAreCalledAsMpirunCallsThem() throws Exception {
        shell.program(
                "ssh", "echo \"ssh $*\" >>" + directory.resolve("asked") + "; echo eth0; echo lo; echo muster-login");
        shell.program("agent", "echo \"agent $*\" >>" + directory.resolve("asked") + "; echo muster-login");

        assertThat(await("h w-1 2 h\n", "agent -v : rsh", "-o A=*", "1", "60").code())
                .isZero();
        Files.delete(directory.resolve("interfaces.0"));
        assertThat(await("- own 2 own\nh w-1 2 h\n", "ssh", "-l u", "-", "60").code())
                .isZero();

        assertThat(directory.resolve("asked")).hasContent("""
                        agent -v -p 1 -o A=* h ls /sys/class/net && echo muster-login
                        ssh -o BatchMode=yes -o ConnectTimeout=10 -l u h ls /sys/class/net && echo muster-login
                        """);
        assertThat(directory.resolve("interfaces.1")).hasContent("eth0\nlo\nmuster-login\n");
    }

    @Test
    void aHostThatSaysNothingAtAllIsNamed() throws Exception {
        shell.program("ssh", "exec sleep 60");

        Shell.Ended ended = await("x w-1 1 x\n", "ssh", "", "-", "0");

        assertThat(ended.code()).isEqualTo(75);
        assertThat(ended.output()).contains("w-1 (no answer)");
    }

    @Test
    void aHostWhoseLoginsRunNoCommandIsNamed() throws Exception {
        shell.program("ssh", "exit 0");

        Shell.Ended ended = await("x w-1 1 x\n", "ssh", "", "-", "60");

        assertThat(ended.code()).isEqualTo(75);
        assertThat(ended.output()).contains("w-1", ".bashrc");
    }

    @Test
    void ranksOfOtherContainersAreKnownByMarkerAndVariable() throws Exception {
        // The script takes the host for another container.
        shell.program("ssh", "sed 's/^\\(marker=.*\\) launchers=.*/\\1 launchers=other/' | /bin/sh");
        Process rank = rank("OMPI_COMM_WORLD_RANK");
        Process other = rank("NOT_OMPI_COMM_WORLD_RANK");

        Shell.Ended ended = shell.run(
                Map.of("MUSTER_JOB", "of-this-test"),
                Shell.put(Scripts.SIGNAL, directory),
                directory.toString(),
                "ssh",
                "",
                "-",
                "OMPI_COMM_WORLD_RANK PMI_RANK",
                "h");

        assertThat(ended.code()).isZero();
        assertThat(rank.waitFor()).isEqualTo(143);
        assertThat(other.isAlive()).isTrue();
        other.destroyForcibly().waitFor();
    }

    private static Process rank(String variable) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("sleep", "600");
        builder.environment().put("MUSTER_JOB", "of-this-test");
        builder.environment().put(variable, "3");
        return builder.start();
    }

    @Test
    void theImagesSshdLocksNobodyOutForLooking() throws Exception {
        Path config = Files.writeString(directory.resolve("sshd_config"), "Port 1\nMatch user a\n");
        String serves = "echo 'pubkeyauthentication yes'; echo \"forcecommand exec /bin/sh '" + directory
                + "/agent.sh' '" + directory + "'\"";
        shell.program("sshd", serves);
        assertThat(prepare(config).code()).isZero();
        assertThat(config).hasContent("PerSourcePenalties no\nPort 1\nMatch user a\n");
        assertThat(directory.resolve("interfaces")).hasContent("lo\n");

        Files.writeString(config, "Port 1\n");
        shell.program("sshd", "case \"$*\" in *PerSource*) exit 255 ;; esac; " + serves);
        assertThat(prepare(config).code()).isZero();
        assertThat(config).hasContent("Port 1\n");

        shell.program("sshd", "echo 'sshd: no hostkeys available -- exiting.' >&2; exit 1");
        assertThat(prepare(config).code()).isEqualTo(69);
    }

    /** bash reads {@code .bashrc} for commands over ssh, too. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "exec cat | 78",
                "exit | 78",
                "exec sleep 600 | 78",
                "echo Welcome; case $- in *i*) exec cat ;; esac | 0",
                "sleep 3 & | 0"
            })
    void aLoginShellThatRunsNoCommandIsNamed(String bashrc, int code) throws Exception {
        Path config = Files.writeString(directory.resolve("sshd_config"), "Port 1\n");
        Files.writeString(directory.resolve(".bashrc"), bashrc + "\n");
        shell.program("sshd", "[ $1 = -t ]");
        shell.program("getent", "echo me:x:1000:100:me:" + directory + ":$(command -v bash)");

        Shell.Ended ended = prepare(config, "2");

        assertThat(ended.code()).isEqualTo(code == 0 ? 69 : code);
        assertThat(ended.errors()).contains(code == 0 ? "cannot run" : directory + "/.bashrc");
    }

    @Test
    void ranksOfOtherHostsHaveTheUmaskOfTheirLauncher() throws Exception {
        Path config = Files.writeString(directory.resolve("sshd_config"), "Port 1\n");
        shell.program("sshd", "[ $1 = -t ]");
        String script = Shell.put(Scripts.PREPARE, directory);
        Files.writeString(Path.of(script), "umask 0002\n" + Files.readString(Path.of(script)));

        prepare(config, script, "0");

        assertThat(directory.resolve("variables")).content().startsWith("umask 0002\n");
    }

    private Shell.Ended prepare(Path config) throws Exception {
        return prepare(config, "0");
    }

    private Shell.Ended prepare(Path config, String seconds) throws Exception {
        return prepare(config, Shell.put(Scripts.PREPARE, directory), seconds);
    }

    private Shell.Ended prepare(Path config, String script, String seconds) throws Exception {
        return shell.run(
                Map.of(),
                script,
                directory.toString(),
                directory.resolve("bin/sshd").toString(),
                config.toString(),
                "",
                "w-0",
                "w-1",
                "apart",
                "eth77,lo",
                config.toString(),
                "1",
                seconds);
    }

    private Shell.Ended await(String hosts, String program, String more, String port, String seconds) throws Exception {
        return shell.run(
                Map.of(),
                Shell.put(Scripts.AWAIT, directory),
                directory.toString(),
                program,
                more,
                port,
                Files.writeString(directory.resolve("hosts"), hosts).toString(),
                seconds,
                "/h");
    }
}
