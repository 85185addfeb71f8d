package dev.muster.engine.mpi;

import dev.muster.spi.GeneratedFile;
import dev.muster.spi.Value;
import dev.muster.spi.ValueText;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The configurations of a job's sshd. */
final class SshdConfig {

    private static final String NAME = "sshd_config";

    /** What the images of ModelArts have in place of the port. */
    private static final String PORT_PLACE = "{{MY_SSHD_PORT}}";

    private static final SortedMap<String, String> JOB_DEFAULTS = new TreeMap<>(Map.of(
            // Whoever only looks whether the port is open would be an error else.
            "LogLevel", "FATAL",
            // The default drops logins when more than ten hosts come at once.
            "MaxStartups", "4096"));

    private SshdConfig() {}

    /**
     * The job's own, with its key, which lets nobody do more than run the job's commands.
     *
     * @param uid of the user that it serves
     */
    static GeneratedFile own(int uid) {
        Value place = Value.privateDirectory();
        return file(new ValueText()
                .line("HostKey \"", place, "/key\"")
                .line("AuthorizedKeysFile \"", place, "/authorized_keys\"")
                .add(Value.resource("sshd-logins.conf"))
                .line("PermitRootLogin ", uid == 0 ? "prohibit-password" : "no")
                .add(Value.resource("sshd-sessions.conf"))
                .line(withDefaults(""))
                .value());
    }

    /** An image's, for this port. */
    static GeneratedFile ofImage(String content, SshPort port) {
        return file(Value.of(withDefaults(content.replace(PORT_PLACE, Integer.toString(port.number())))));
    }

    private static GeneratedFile file(Value content) {
        return new GeneratedFile(NAME, Optional.empty(), NAME, content);
    }

    /** sshd's own defaults are not for jobs; what the image says stays, and words for some users only may end the text. */
    private static String withDefaults(String content) {
        StringBuilder text = new StringBuilder();
        JOB_DEFAULTS.forEach((word, value) -> {
            boolean isSaid = Pattern.compile("(?im)^\\s*" + word + "\\b")
                    .matcher(content)
                    .find();
            if (!isSaid) {
                text.append(word).append(' ').append(value).append('\n');
            }
        });
        return text.append(content).toString();
    }
}
