package dev.muster.runtime.inputs;

import dev.muster.runtime.files.IoReasons;
import dev.muster.spi.InputValue;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/** Looks at the names in a directory, as it is now. */
final class ListingReader {

    private ListingReader() {}

    /** @param prefix of the names that are meant */
    static ReadAttempt look(Path path, String prefix) {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
            for (Path entry : entries) {
                addIfMeant(names, entry, prefix);
            }
        } catch (NoSuchFileException e) {
            // A directory that does not exist has no names.
        } catch (NotDirectoryException e) {
            return new ReadAttempt.Refused("is not a directory", "Put a directory there, or nothing");
        } catch (DirectoryIteratorException e) {
            return unreadable(Objects.requireNonNull(e.getCause()));
        } catch (IOException e) {
            return unreadable(e);
        }
        Collections.sort(names);
        return new ReadAttempt.Ready(new InputValue.Text(path.toString(), String.join("\n", names)));
    }

    private static void addIfMeant(List<String> names, Path entry, String prefix) {
        Path last = entry.getFileName();
        if (last != null && last.toString().startsWith(prefix)) {
            names.add(last.toString());
        }
    }

    private static ReadAttempt unreadable(IOException problem) {
        return new ReadAttempt.Refused(
                "cannot be listed (" + IoReasons.of(problem) + ")", "Let the user that runs Muster read the directory");
    }
}
