package dev.muster.runtime.process;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What the {@link WardenShell} runs: the files of the directory {@code warden} beside this class, as one text. */
final class WardenScript {

    /** The last one begins to work, and needs all others. */
    private static final List<String> PARTS =
            List.of("begin", "processes", "orders", "outputs", "forerunners", "end", "directory", "launcher", "watch");

    private WardenScript() {}

    /** The build of the jar puts it here, as a constant. */
    static String text() throws IOException {
        StringBuilder text = new StringBuilder();
        for (String part : PARTS) {
            text.append(read("warden/" + part + ".sh"));
        }
        return text.toString();
    }

    private static String read(String file) throws IOException {
        try (InputStream content = WardenScript.class.getResourceAsStream(file)) {
            if (content == null) {
                throw new IOException(file + " is not in the jar");
            }
            return new String(content.readAllBytes(), StandardCharsets.US_ASCII);
        }
    }
}
