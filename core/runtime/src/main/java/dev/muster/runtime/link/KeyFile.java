package dev.muster.runtime.link;

import dev.muster.runtime.text.Printable;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A look at the file that the job's key is made of. It may be written only now, by another process. */
final class KeyFile {

    /** A key is small; whoever names a checkpoint by mistake is told so. */
    private static final long LONGEST = 1024 * 1024;

    private static final int BY_OTHERS = 0007;
    private static final int PERMISSIONS = 07777;

    private KeyFile() {}

    /** What the look has shown. */
    sealed interface Look {

        /** Made, read once and dropped: nobody compares it. */
        @SuppressWarnings("ArrayRecordComponent")
        record Found(byte[] content) implements Look {}

        /** @param reason for example {@code there is no file /keys/link yet} */
        record NotYet(String reason) implements Look {}

        /** @param reason a sentence with what to do, without its full stop */
        record Wrong(String reason) implements Look {}
    }

    static Look look(Path file) {
        String name = Printable.escape(file.toString());
        try {
            // Not a link's own: Kubernetes puts secrets behind links.
            if (!Files.isRegularFile(file)) {
                return Files.exists(file)
                        ? new Look.Wrong(name + " is not a regular file. Name a file that holds the secret")
                        : new Look.NotYet(missing(file, name));
            }
            int mode = (Integer) Files.getAttribute(file, "unix:mode");
            if ((mode & BY_OTHERS) != 0) {
                return new Look.Wrong(name + " can be read or written by others (0"
                        + Integer.toOctalString(mode & PERMISSIONS) + "). Use: chmod 600 " + name);
            }
            return content(file, name);
        } catch (NoSuchFileException e) {
            return new Look.NotYet("there is no file " + name + " yet");
        } catch (IOException e) {
            return new Look.NotYet(name + " cannot be read: " + e.getClass().getSimpleName());
        }
    }

    private static Look content(Path file, String name) throws IOException {
        try {
            if (Files.size(file) > LONGEST) {
                return new Look.Wrong(name + " is larger than 1 MB. Name a file that holds the secret");
            }
            byte[] content = Files.readAllBytes(file);
            return content.length == 0 ? new Look.NotYet(name + " is empty") : new Look.Found(content);
        } catch (AccessDeniedException e) {
            return new Look.NotYet(name + " cannot be read: permission denied");
        }
    }

    private static String missing(Path file, String name) {
        boolean isLink = Files.exists(file, LinkOption.NOFOLLOW_LINKS);
        return isLink ? name + " leads to no file yet" : "there is no file " + name + " yet";
    }
}
