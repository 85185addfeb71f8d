package dev.muster.runtime.link;

import dev.muster.runtime.files.IoReasons;
import dev.muster.runtime.text.Printable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/** The secret that a launcher must know to take part in a job. It is known now, or in a file that another process may write later. */
public final class LinkKey {

    /** The most bytes to read, whatever file the user names. */
    private static final int LONGEST = 1024 * 1024;

    private final byte[] known;
    private final Optional<Path> file;
    private final String origin;

    private LinkKey(byte[] known, Optional<Path> file, String origin) {
        this.known = known.clone();
        this.file = file;
        this.origin = origin;
    }

    /** @param origin where it comes from, for users, without the secret */
    public static LinkKey known(byte[] secret, String origin) {
        return new LinkKey(secret, Optional.empty(), origin);
    }

    /** A key in a file. Until the file exists the link neither connects nor listens. */
    public static LinkKey ofFile(Path file, String origin) {
        return new LinkKey(new byte[0], Optional.of(file), origin);
    }

    /** A secret without trailing line ends, which files and variables may have. */
    public static byte[] withoutLineEnd(byte[] secret) {
        int length = secret.length;
        while (length > 0 && (secret[length - 1] == '\n' || secret[length - 1] == '\r')) {
            length--;
        }
        return Arrays.copyOf(secret, length);
    }

    public String origin() {
        return origin;
    }

    /** Whether its file does not exist yet. */
    public boolean isAwaited() {
        return file.filter(path -> !Files.exists(path)).isPresent();
    }

    /** @throws IOException it is not there yet */
    public byte[] read() throws IOException {
        return file.isPresent() ? read(file.get()) : known.clone();
    }

    private static byte[] read(Path file) throws IOException {
        String name = Printable.escape(file.toString());
        try (InputStream in = Files.newInputStream(file)) {
            byte[] content = in.readNBytes(LONGEST);
            if (content.length > 0) {
                return content;
            }
        } catch (NoSuchFileException notYet) {
            throw new IOException("there is no file " + name + " yet", notYet);
        } catch (IOException unreadable) {
            throw new IOException(name + " cannot be read: " + IoReasons.of(unreadable), unreadable);
        }
        throw new IOException(name + " is empty");
    }
}
