package dev.muster.runtime.files;

import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The way to a file, from the top of the machine on, with every directory and every symbolic link that lies on it.
 *
 * <p>It goes down step by step: whoever can change nothing in the directories above a step, and does not own it, cannot exchange it
 * later. So what is seen stays true as long as all that is seen is trusted.
 *
 * @param seen in this order; the file itself is the last
 * @param real the file's path without links
 */
record PathWalk(List<Seen> seen, Path real) {

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
        Path absolute = path.toAbsolutePath();
        Path real = absolute.getRoot();
        List<Seen> seen = new ArrayList<>();
        seen.add(new Seen(real, Facts.of(real)));
        Deque<Path> names = new ArrayDeque<>();
        absolute.forEach(names::addLast);
        int links = 0;
        while (!names.isEmpty()) {
            Path step = step(real, names.removeFirst());
            if (step.equals(real) || real.startsWith(step)) {
                real = step;
                continue;
            }
            Facts facts = Facts.of(step, LinkOption.NOFOLLOW_LINKS);
            seen.add(new Seen(step, facts));
            if (!facts.isLink()) {
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
        return new PathWalk(List.copyOf(seen), real);
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

    /** The file itself, where all links have led. */
    Seen last() {
        for (int index = seen.size() - 1; index >= 0; index--) {
            if (seen.get(index).path().equals(real)) {
                return seen.get(index);
            }
        }
        throw new IllegalStateException("the way does not go through " + real);
    }
}
