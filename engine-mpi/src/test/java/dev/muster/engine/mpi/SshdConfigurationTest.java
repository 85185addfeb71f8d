package dev.muster.engine.mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the image's configuration may say, as the sshd of this machine understands it. */
class SshdConfigurationTest {

    private static final Path INCLUDED = Path.of("more.conf");

    @TempDir
    Path directory;

    /** Lines are separated by semicolons; USER is whoever runs the test. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "Port 1 | 0 | ''",
                "Match User USER; ForceCommand /bin/false | 78 | line 5: \"ForceCommand /bin/false\" under \"Match User USER\" of line 4",
                "ForceCommand /bin/false | 0 | ''",
                "Match Address 127.0.0.0/8; X11Forwarding no; ForceCommand=internal-sftp | 78 | line 6: \"ForceCommand=internal-sftp",
                "Match User nobody-else; ForceCommand a; Match User USER; ForceCommand b | 78 | line 7: \"ForceCommand b\"",
                "Match Host other.invalid; ForceCommand /bin/false | 0 | ''",
                "Match User nobody-else; ForceCommand /bin/false | 0 | ''",
                "Match LocalPort 40022; ForceCommand /bin/false | 78 | under \"Match LocalPort 40022\" of line 4",
                "Match all; ChrootDirectory / | 78 | line 5: \"ChrootDirectory /\"",
                "AllowUsers ma-user nobody-else@10.* | 78 | line 4: \"AllowUsers ma-user",
                "AllowUsers ma-user USER@10.* | 0 | ''",
                "DenyUsers USER | 78 | line 4: \"DenyUsers USER\"",
                "AllowGroups no-such-group | 78 | line 4: \"AllowGroups",
                "AuthenticationMethods publickey,password | 78 | line 4: \"AuthenticationMethods",
                "AuthenticationMethods publickey,password publickey | 0 | ''",
                "PubkeyAuthentication no | 78 | line 4: \"PubkeyAuthentication no\"",
                "PubkeyAuthentication no; Match User USER; PubkeyAuthentication yes | 0 | ''",
                "Match User USER; AuthorizedKeysFile none | 78 | line 5: \"AuthorizedKeysFile none\"",
                "Include DIRECTORY/more.conf | 78 | more.conf, line 2: \"ForceCommand /bin/false\"",
                "Bogus words | 69 | Bogus"
            })
    @DisplayName("6.2 words of the image's configuration that win over the job's are refused with their file and line")
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
        Files.writeString(directory.resolve(INCLUDED), "Match User " + user + "\nForceCommand /bin/false\n");
        String text = "Port 40022\nUsePAM no\nHostKey " + directory + "/key\n"
                + lines.replace("; ", "\n").replace("USER", user).replace("DIRECTORY", directory.toString()) + "\n";
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
                        "given",
                        "127.0.0.1",
                        "127.0.0.1",
                        "apart",
                        "lo",
                        origin.toString(),
                        "40022");

        Assumptions.assumeFalse(
                ended.output().startsWith("unshare: ") && !"true".equals(System.getenv("CI")),
                "there is no /run/sshd, and none can be mounted here");
        assertThat(ended.code()).as(ended.output()).isEqualTo(code);
        assertThat(ended.output())
                .contains(Optional.ofNullable(words).orElse("").replace("USER", user));
        if (code == 78) {
            assertThat(ended.output()).endsWith("Take it out there, or give -o sshd=own\n");
        }
    }

    /**
     * With its words on standard output. Root's sshd wants a directory that only a started service has made: where there is
     * none, the script gets one that the rest of the machine does not see.
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
