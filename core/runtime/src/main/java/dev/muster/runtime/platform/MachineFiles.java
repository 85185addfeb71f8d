package dev.muster.runtime.platform;

import dev.muster.runtime.files.ReadableFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Small files in which platforms tell something. A file that cannot be read counts as missing.
 *
 * @param root stands for {@code /} in tests
 */
public record MachineFiles(Path root) {

    /** No file of a platform is larger: a rank table of 100,000 cards has 10 MB. */
    private static final long LARGEST = 16L * 1024 * 1024;

    /** The content of a regular file, in UTF-8. */
    public Optional<String> text(String path) {
        try {
            Path file = file(path);
            boolean isReadable = Files.isRegularFile(file) && Files.size(file) <= LARGEST;
            return isReadable
                    ? Optional.of(new String(Files.readAllBytes(file), StandardCharsets.UTF_8))
                    : Optional.empty();
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }

    boolean exists(String path) {
        return Files.exists(file(path));
    }

    /** The names in a directory, sorted; none when there is no such directory. */
    public List<String> names(String path) {
        return ReadableFiles.entries(file(path), "*").stream()
                .map(entry -> entry.getFileName().toString())
                .sorted()
                .toList();
    }

    private Path file(String path) {
        return root.resolve(path.replaceFirst("^/+", ""));
    }
}
