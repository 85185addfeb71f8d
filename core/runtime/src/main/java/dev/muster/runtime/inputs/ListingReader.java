package dev.muster.runtime.inputs;

import dev.muster.runtime.files.IoReasons;
import dev.muster.spi.InputValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Looks at the names in a directory, as it is now. */
final class ListingReader {

    private ListingReader() {}

    /** @param prefix of the names that are meant */
    static ReadAttempt look(Path path, String prefix) {
        try (Stream<Path> entries = Files.list(path)) {
            String names = entries.map(entry -> String.valueOf(entry.getFileName()))
                    .filter(name -> name.startsWith(prefix))
                    .sorted()
                    .collect(Collectors.joining("\n"));
            return listed(path, names);
        } catch (NoSuchFileException e) {
            // A directory that does not exist has no names.
            return listed(path, "");
        } catch (NotDirectoryException e) {
            return new ReadAttempt.Refused("is not a directory", "Put a directory there, or nothing");
        } catch (UncheckedIOException e) {
            return unreadable(Objects.requireNonNull(e.getCause()));
        } catch (IOException e) {
            return unreadable(e);
        }
    }

    private static ReadAttempt listed(Path path, String names) {
        return new ReadAttempt.Ready(new InputValue.Text(path.toString(), names));
    }

    private static ReadAttempt unreadable(IOException problem) {
        return new ReadAttempt.Refused(
                "cannot be listed (" + IoReasons.of(problem) + ")", "Let the user that runs Muster read the directory");
    }
}
