package dev.muster.runtime.link;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Seals texts with munge, the service by which Slurm's nodes know whose a message is. Others may see them: only this launcher's
 * user, on a machine with the same munge, can open one, and only once.
 */
public final class Munge {

    private static final long DEADLINE_SECONDS = 5;
    private static final int LONGEST = 8 * 1024;
    private static final int LONGEST_REASON = 200;

    /** {@code UID: alice (1000)}, or the number alone where it has no name. */
    private static final Pattern USER = Pattern.compile("(?m)^UID:\\s+(?:\\S* ?\\()?([0-9]+)\\)?$");

    private final Path munge;
    private final Path unmunge;
    private final String user;

    /**
     * Munge as it is installed here.
     *
     * @throws IOException this process's user is not known
     */
    public Munge(Path munge, Path unmunge) throws IOException {
        this.munge = munge;
        this.unmunge = unmunge;
        this.user = Files.getAttribute(Path.of("/proc/self"), "unix:uid").toString();
    }

    /**
     * Makes a credential that only this user can open.
     *
     * @param text of one line
     * @throws IOException there is no answer; the message is for users
     */
    public String make(String text) throws IOException, InterruptedException {
        return ask(List.of(munge.toString(), "--restrict-uid=" + user, "--cipher=aes128"), text)
                .strip();
    }

    /**
     * The text in a credential that this user has made.
     *
     * @throws IOException there is no answer, or it is no credential, or it was opened before, or is another's; the message is for
     *     users
     */
    String open(String credential) throws IOException, InterruptedException {
        String answer = ask(List.of(unmunge.toString()), credential);
        int end = answer.indexOf("\n\n");
        Matcher owner = USER.matcher(end < 0 ? "" : answer.substring(0, end));
        if (!owner.find() || !owner.group(1).equals(user)) {
            throw new IOException("unmunge: the credential is another user's");
        }
        return answer.substring(end + 2).strip();
    }

    private static String ask(List<String> command, String input) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).start();
        try {
            try (OutputStream to = process.getOutputStream()) {
                to.write(input.getBytes(StandardCharsets.UTF_8));
            } catch (IOException unread) {
                // It has ended already, and tells why itself.
            }
            String name = String.valueOf(Path.of(command.get(0)).getFileName());
            if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException(name + " gives no answer");
            }
            if (process.exitValue() != 0) {
                String reason = text(process.getErrorStream()).strip().replaceAll("[^ -~]+", " ");
                throw new IOException(
                        reason.isEmpty()
                                ? name + " ended with exit code " + process.exitValue()
                                : reason.substring(0, Math.min(LONGEST_REASON, reason.length())));
            }
            return text(process.getInputStream());
        } finally {
            process.destroyForcibly();
        }
    }

    private static String text(InputStream stream) throws IOException {
        return new String(stream.readNBytes(LONGEST), StandardCharsets.UTF_8);
    }
}
