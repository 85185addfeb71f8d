package dev.muster.runtime.inputs;

import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.PatternSyntaxException;

/** The newest of the files that match a pattern, as they are now. */
final class NewestFileSource implements Source {

    private static final String SPECIAL = "*?[\\";

    /** Alternatives are a matter of Java's patterns; here a brace stands for itself. */
    private static final String BRACE = "(?<!\\\\)\\{";

    private final Input.NewestFile input;
    private final Path pattern;

    /** @param pattern absolute */
    NewestFileSource(Input.NewestFile input, Path pattern) {
        this.input = input;
        this.pattern = pattern;
    }

    @Override
    public String id() {
        return input.id();
    }

    @Override
    public String subject() {
        return Source.words(input.id());
    }

    @Override
    public Look look() {
        List<Path> found = new ArrayList<>();
        try {
            match(pattern.getRoot(), 0, found);
        } catch (PatternSyntaxException wrong) {
            return new Look.Refused("is no pattern: " + pattern, "Correct the pattern");
        }
        Optional<Newest> newest = found.stream()
                .flatMap(path -> Newest.of(path).stream())
                .max(Comparator.comparingLong(Newest::modified).thenComparing(file -> file.path.toString()));
        return new Look.Ready(newest.<InputValue>map(file -> new InputValue.Found(file.path.toString(), file.size))
                .orElseGet(InputValue.Absent::new));
    }

    /** What matches the names from this one on, in a directory that matches those before. */
    private void match(Path directory, int name, List<Path> found) {
        if (name == pattern.getNameCount()) {
            found.add(directory);
            return;
        }
        String text = pattern.getName(name).toString();
        if (text.chars().noneMatch(character -> SPECIAL.indexOf(character) >= 0)) {
            match(directory.resolve(text), name + 1, found);
            return;
        }
        String glob = text.replaceAll(BRACE, "\\\\{");
        PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + glob);
        for (Path entry : entries(directory)) {
            if (matcher.matches(entry.getFileName())) {
                match(entry, name + 1, found);
            }
        }
    }

    /** A directory that cannot be read has nothing to offer, like one that is not there. */
    private static List<Path> entries(Path directory) {
        List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
            stream.forEach(entries::add);
        } catch (IOException | DirectoryIteratorException none) {
            return List.of();
        }
        return entries;
    }

    private record Newest(Path path, long modified, long size) {

        static Optional<Newest> of(Path path) {
            try {
                BasicFileAttributes file = Files.readAttributes(path, BasicFileAttributes.class);
                return file.isRegularFile()
                        ? Optional.of(new Newest(path, file.lastModifiedTime().toMillis(), file.size()))
                        : Optional.empty();
            } catch (IOException goneByNow) {
                return Optional.empty();
            }
        }
    }
}
