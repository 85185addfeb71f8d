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
        Walker walker = new Walker(path);
        boolean isOnTheWay = true;
        while (isOnTheWay && !walker.names.isEmpty() && !isLast.test(walker.seen.get(walker.seen.size() - 1))) {
            isOnTheWay = walker.goesOn();
        }
        return new PathWalk(List.copyOf(walker.seen), walker.real, List.copyOf(walker.names));
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

    /** Who is on the way. */
    private static final class Walker {

        private final Path path;
        private final List<Seen> seen = new ArrayList<>();
        private final Deque<Path> names = new ArrayDeque<>();
        private Path real;
        private int links;

        Walker(Path path) throws IOException {
            this.path = path;
            Path absolute = path.toAbsolutePath();
            real = absolute.getRoot();
            seen.add(new Seen(real, Facts.of(real)));
            absolute.forEach(names::addLast);
        }

        /** Goes the next step; false when it is not there. */
        boolean goesOn() throws IOException {
            Path step = step(names.getFirst());
            if (real.startsWith(step)) {
                names.removeFirst();
                real = step;
                return true;
            }
            Optional<Facts> facts = factsOf(step);
            if (facts.isEmpty()) {
                return false;
            }
            names.removeFirst();
            seen.add(new Seen(step, facts.get()));
            if (facts.get().isLink()) {
                follow(step);
            } else {
                real = step;
            }
            return true;
        }

        private Path step(Path name) {
            return switch (name.toString()) {
                case "", "." -> real;
                case ".." -> real.getParent() == null ? real : real.getParent();
                default -> real.resolve(name);
            };
        }

        private static Optional<Facts> factsOf(Path step) throws IOException {
            try {
                return Optional.of(Facts.of(step, LinkOption.NOFOLLOW_LINKS));
            } catch (NoSuchFileException missing) {
                return Optional.empty();
            }
        }

        private void follow(Path link) throws IOException {
            if (++links > MOST_LINKS) {
                throw new FileSystemLoopException(path.toString());
            }
            Path target = Files.readSymbolicLink(link);
            real = target.isAbsolute() ? target.getRoot() : real;
            List<Path> added = new ArrayList<>();
            target.forEach(added::add);
            for (int index = added.size() - 1; index >= 0; index--) {
                names.addFirst(added.get(index));
            }
        }
    }
}
