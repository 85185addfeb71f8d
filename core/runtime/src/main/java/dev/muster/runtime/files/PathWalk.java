package dev.muster.runtime.files;

import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The way to a file, from the top of the machine on, with every directory and every symbolic link that lies on it.
 *
 * <p>It goes down step by step: whoever can change nothing in the directories above a step, and does not own it, cannot exchange it
 * later. So what is seen stays true as long as all that is seen is trusted.
 *
 * @param seen in this order
 * @param real the path without links of where the way has led
 * @param rest of the names, where it was not gone to the end
 */
record PathWalk(List<Seen> seen, Path real, List<Path> rest) {

    /** As the system's own limit. */
    private static final int MOST_LINKS = 40;

    /**
     * A step.
     *
     * @param path the directories in it are no links
     */
    record Seen(Path path, Facts facts) {}

    /**
     * Goes the way.
     *
     * @throws IOException something on the way is missing, or cannot be looked at
     */
    static PathWalk to(Path path) throws IOException {
        PathWalk walk = upTo(path, seen -> false);
        if (!walk.rest.isEmpty()) {
            throw new NoSuchFileException(walk.real.resolve(walk.rest.get(0)).toString());
        }
        return walk;
    }

    /** Goes the way up to the first step that is the last one, or to the last one that is there. */
    static PathWalk upTo(Path path, Predicate<Seen> isLast) throws IOException {
        Path absolute = path.toAbsolutePath();
        Path real = absolute.getRoot();
        List<Seen> seen = new ArrayList<>();
        seen.add(new Seen(real, Facts.of(real)));
        Deque<Path> names = new ArrayDeque<>();
        absolute.forEach(names::addLast);
        int links = 0;
        while (!names.isEmpty() && !isLast.test(seen.get(seen.size() - 1))) {
            Path step = step(real, names.getFirst());
            if (real.startsWith(step)) {
                names.removeFirst();
                real = step;
                continue;
            }
            Optional<Facts> facts = factsOf(step);
            if (facts.isEmpty()) {
                break;
            }
            names.removeFirst();
            seen.add(new Seen(step, facts.get()));
            if (!facts.get().isLink()) {
                real = step;
                continue;
            }
            if (++links > MOST_LINKS) {
                throw new FileSystemLoopException(path.toString());
            }
            Path target = Files.readSymbolicLink(step);
            real = target.isAbsolute() ? target.getRoot() : real;
            prepend(target, names);
        }
        return new PathWalk(List.copyOf(seen), real, List.copyOf(names));
    }

    private static Optional<Facts> factsOf(Path step) throws IOException {
        try {
            return Optional.of(Facts.of(step, LinkOption.NOFOLLOW_LINKS));
        } catch (NoSuchFileException missing) {
            return Optional.empty();
        }
    }

    private static Path step(Path real, Path name) {
        return switch (name.toString()) {
            case "", "." -> real;
            case ".." -> real.getParent() == null ? real : real.getParent();
            default -> real.resolve(name);
        };
    }

    private static void prepend(Path target, Deque<Path> names) {
        List<Path> added = new ArrayList<>();
        target.forEach(added::add);
        for (int index = added.size() - 1; index >= 0; index--) {
            names.addFirst(added.get(index));
        }
    }

    /** Where the way has led: the file itself, unless there is a rest. */
    Seen last() {
        for (int index = seen.size() - 1; index >= 0; index--) {
            if (seen.get(index).path().equals(real)) {
                return seen.get(index);
            }
        }
        throw new IllegalStateException("the way does not go through " + real);
    }
}
