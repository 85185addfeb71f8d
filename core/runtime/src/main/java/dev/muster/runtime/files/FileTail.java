package dev.muster.runtime.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** The end of a file. */
public final class FileTail {

    private FileTail() {}

    /** At most so many bytes, the last of the file. */
    public static byte[] read(Path file, int most) throws IOException {
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
            channel.position(Math.max(0, channel.size() - most));
            ByteBuffer content = ByteBuffer.allocate(most);
            while (content.hasRemaining() && channel.read(content) >= 0) {
                // A read may give less than there is.
            }
            return Arrays.copyOf(content.array(), content.position());
        }
    }
}
