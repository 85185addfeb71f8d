package dev.muster.runtime.link;

import dev.muster.runtime.files.Trust;
import dev.muster.runtime.text.Printable;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** A look at the file that the job's key is made of. It may be written only now, by another process. */
final class KeyFile {

    /** A key is small; whoever names a checkpoint by mistake is told so. */
    private static final long LONGEST = 1024 * 1024;

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
            Optional<Trust.Flaw> flaw = Trust.ofKeyAlone(file).refusal();
            return flaw.isPresent()
                    ? new Look.Wrong(name + " " + flaw.get().of(file) + ". Use: "
                            + flaw.get().remedy())
                    : content(file, name);
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
