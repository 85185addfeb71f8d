package dev.muster.engine.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the image's configuration may contain. The sshd of this machine reads it. */
class SshdConfigurationTest {

    @TempDir
    Path directory;

    /** Lines are separated by semicolons. USER is the user who runs the test. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "Port 1 | 0 | ''",
                "Match User USER; ForceCommand /bin/false | 78 | origin: forcecommand /bin/false wins over",
                "ForceCommand /bin/false | 0 | ''",
                "Match Address 127.0.0.0/8; X11Forwarding no; ForceCommand=internal-sftp | 78 | forcecommand internal-sftp",
                "Match User nobody-else; ForceCommand a; Match User USER; ForceCommand b | 78 | forcecommand b",
                "Match Host other.invalid; ForceCommand /bin/false | 0 | ''",
                "Match LocalPort 40022; ForceCommand /bin/false | 78 | forcecommand /bin/false",
                "Match all; ChrootDirectory / | 78 | chrootdirectory / hides",
                "PubkeyAuthentication no | 78 | pubkeyauthentication no lets nobody",
                "PubkeyAuthentication no; Match User USER; PubkeyAuthentication yes | 0 | ''",
                "Bogus words | 69 | Bogus"
            })
    void wordsThatWinAreRefused(String lines, int code, String words) throws Exception {
        Path sshd = Stream.of("/usr/sbin/sshd", "/usr/local/sbin/sshd")
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(Path.of("/no/sshd"));
        Assumptions.assumeTrue(Files.exists(sshd), "no sshd is installed");
        String user = System.getProperty("user.name");
        Process keygen = new ProcessBuilder(
                        "ssh-keygen",
                        "-q",
                        "-t",
                        "ed25519",
                        "-N",
                        "",
                        "-f",
                        directory.resolve("key").toString())
                .start();
        assertThat(keygen.waitFor()).isZero();
        String text = "Port 40022\nUsePAM no\nHostKey " + directory + "/key\n"
                + lines.replace("; ", "\n").replace("USER", user) + "\n";
        Path origin = Files.writeString(directory.resolve("origin"), text);
        Path config = Files.writeString(directory.resolve("sshd_config"), "LogLevel FATAL\n" + text);

        Shell.Ended ended = new Shell(directory)
                .run(
                        Map.of(),
                        wrapped(),
                        directory.toString(),
                        sshd.toString(),
                        config.toString(),
                        "",
                        "127.0.0.1",
                        "127.0.0.1",
                        "apart",
                        "lo",
                        origin.toString(),
                        "40022",
                        "0");

        Assumptions.assumeFalse(
                ended.output().startsWith("unshare: ") && !"true".equals(System.getenv("CI")),
                "there is no /run/sshd, and none can be mounted here");
        assertThat(ended.code()).as(ended.output()).isEqualTo(code);
        assertThat(ended.output()).contains(Optional.ofNullable(words).orElse(""));
        if (code == 78) {
            assertThat(ended.output()).endsWith("Take it out there, or give -o sshd=own\n");
        }
    }

    /**
     * A script that prints all output on standard output. The sshd of root needs /run/sshd, which only the system's service makes.
     * If it is missing, the script gets a /run of its own that the rest of the machine does not see.
     */
    private String wrapped() throws Exception {
        String script = "/bin/sh '" + Shell.put(Scripts.PREPARE, directory) + "'";
        String apart = "mount -t tmpfs -o mode=755 none /run && mkdir -m 755 /run/sshd && exec " + script;
        return Files.writeString(directory.resolve("wrapper"), """
                        exec 2>&1
                        [ "$(id -u)" != 0 ] || [ -d /run/sshd ] || exec unshare -m /bin/sh -c "%s \\"\\$@\\"" sh "$@"
                        exec %s "$@"
                        """.formatted(apart, script))
                .toString();
    }
}
