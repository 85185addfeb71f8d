package dev.muster.runtime.inputs;

import dev.muster.runtime.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * A big JSON file without the white space between its parts, of which a table that people shall read has twice as much as of all else.
 * Ends of lines stay: by them messages say where something is. So does a blank between words, of which it would make one: {@code 1 2} is no
 * 12.
 */
final class Unspaced {

    /** Bytes that such a file may have. */
    static final int MOST = 4 * Json.LIMIT;

    private final int limit;
    private final CRC32 sum = new CRC32();
    private byte[] kept;
    private int length;
    private long size;
    private boolean isInText;
    private boolean isEscaped;
    private boolean isAfterSpace;

    private Unspaced(int limit) {
        this.limit = limit;
        this.kept = new byte[limit / 4];
    }

    /**
     * Reads a file.
     *
     * @param limit how many bytes may be left
     * @return empty where there are more, or nobody knows what white space is in it
     */
    static Optional<FileContent> read(Path path, int limit) throws IOException {
        Unspaced rest = new Unspaced(limit);
        byte[] part = new byte[FileContent.PART];
        try (InputStream file = Files.newInputStream(path)) {
            for (int read = file.readNBytes(part, 0, part.length);
                    read > 0;
                    read = file.readNBytes(part, 0, part.length)) {
                boolean isOfWideCharacters = rest.size == 0 && !isOfBytes(part, read);
                if (isOfWideCharacters || !rest.add(part, read)) {
                    return Optional.empty();
                }
            }
        }
        byte[] kept = Arrays.copyOf(rest.kept, rest.length);
        return Optional.of(new FileContent(kept, rest.size, rest.sum.getValue()));
    }

    /** UTF-16 and UTF-32 begin with a mark, or have zeros. */
    private static boolean isOfBytes(byte[] part, int count) {
        for (int i = 0; i < Math.min(4, count); i++) {
            if (part[i] == 0 || part[i] == (byte) 0xFE || part[i] == (byte) 0xFF) {
                return false;
            }
        }
        return true;
    }

    /** False where too much is left. */
    private boolean add(byte[] part, int count) {
        size += count;
        sum.update(part, 0, count);
        // One more for a blank whose white space was the end of the part before.
        int room = length + count + 1;
        if (room > kept.length) {
            kept = Arrays.copyOf(kept, Math.max(room, Math.min(limit, 2 * kept.length)));
        }
        for (int i = 0; i < count; i++) {
            add(part[i]);
        }
        return length <= limit;
    }

    private void add(byte there) {
        if (isInText) {
            isInText = isEscaped || there != '"';
            isEscaped = !isEscaped && there == '\\';
        } else if (there == ' ' || there == '\t' || there == '\r') {
            isAfterSpace = true;
            return;
        } else {
            if (isAfterSpace && isOfWord(there) && length > 0 && isOfWord(kept[length - 1])) {
                kept[length++] = ' ';
            }
            isAfterSpace = false;
            isInText = there == '"';
        }
        kept[length++] = there;
    }

    /** Of a number, {@code true} or the like. */
    private static boolean isOfWord(byte there) {
        return switch (there) {
            case '{', '}', '[', ']', ',', ':', '"', '\n' -> false;
            default -> true;
        };
    }
}
