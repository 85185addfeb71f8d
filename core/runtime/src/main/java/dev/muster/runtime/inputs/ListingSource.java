package dev.muster.runtime.inputs;

import dev.muster.runtime.files.IoReasons;
import dev.muster.spi.Input;
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

/** The names in a directory, as it is now. */
record ListingSource(Input.Listing input, Path path) implements Source {

    @Override
    public String id() {
        return input.id();
    }

    @Override
    public String subject() {
        return Source.subject(input.id(), path);
    }

    @Override
    public ReadAttempt look() {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
            for (Path entry : entries) {
                addIfMeant(names, entry);
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

    private void addIfMeant(List<String> names, Path entry) {
        Path last = entry.getFileName();
        if (last != null && last.toString().startsWith(input.prefix())) {
            names.add(last.toString());
        }
    }

    private static ReadAttempt unreadable(IOException problem) {
        return new ReadAttempt.Refused(
                "cannot be listed (" + IoReasons.of(problem) + ")", "Let the user that runs Muster read the directory");
    }
}
