package dev.muster.runtime.files;

import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.ClosedPlace.Demand;
import dev.muster.runtime.text.Printable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Where the private directory of a run can be made, the best place first. */
final class RunPlaces {

    private static final FileAttribute<Set<PosixFilePermission>> MODE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    /** Emptied when the machine starts, and root's alone. */
    private static final String CLOSED = "/run";

    /** Bytes that a place must have room for, which is more than most runs write there. */
    private static final int ROOM = 64 * 1024;

    /** A socket beside it must have a name, too. */
    private static final int LONGEST_PROGRAM = 96;

    private final List<String> open;
    private final List<String> closed;

    private RunPlaces(List<String> open, List<String> closed) {
        this.open = open;
        this.closed = closed;
    }

    static RunPlaces of(Map<String, String> environment, List<String> others) {
        List<String> open = new ArrayList<>(absolute(environment, "XDG_RUNTIME_DIR"));
        List<String> closed = new ArrayList<>(open);
        closed.add(CLOSED);
        for (String temporary : absolute(environment, "TMPDIR")) {
            open.add(temporary);
            closed.add(temporary);
        }
        closed.addAll(absolute(environment, "HOME"));
        closed.addAll(others);
        open.addAll(others);
        return new RunPlaces(List.copyOf(open), List.copyOf(closed));
    }

    private static List<String> absolute(Map<String, String> environment, String name) {
        String value = environment.getOrDefault(name, "");
        return value.startsWith("/") ? List.of(value) : List.of();
    }

    /**
     * Makes the directory, with mode 0700, in the first place that will do: best one that is not full.
     *
     * @param isClosed whether only places will do where others can exchange nothing
     * @throws MusterException when there is none
     */
    Made make(boolean isClosed) {
        List<String> problems = new ArrayList<>();
        return make(isClosed, ROOM, new ArrayList<>())
                .or(() -> make(isClosed, 0, problems))
                .orElseThrow(() -> refusal(isClosed, problems));
    }

    private Optional<Made> make(boolean isClosed, int room, List<String> problems) {
        return isClosed
                ? makeClosed(Demand.CLOSED, room, new ArrayList<>())
                        .or(() -> makeClosed(Demand.NO_HARM, room, problems))
                : makeIn(open, place -> new Made(makeIn(place, room), Optional.empty()), problems);
    }

    /**
     * A new directory.
     *
     * @param openVolume the volume of this container that it is in, where that is open to whoever else is in the container
     */
    record Made(Path path, Optional<Path> openVolume) {}

    /** How the directory is made in a place. */
    private interface Making {
        Made in(Path place) throws IOException;
    }

    private Optional<Made> makeClosed(Demand demand, int room, List<String> problems) {
        return makeIn(closed, parent -> makeIn(ClosedPlace.of(parent, demand), room), problems);
    }

    private static Optional<Made> makeIn(List<String> places, Making making, List<String> problems) {
        for (String parent : places) {
            try {
                return Optional.of(making.in(Path.of(parent)));
            } catch (IOException e) {
                problems.add(Printable.escape(parent) + " (" + Reasons.of(e) + ")");
            } catch (InvalidPathException e) {
                problems.add(Printable.escape(parent) + " (no path)");
            }
        }
        return Optional.empty();
    }

    private Made makeIn(ClosedPlace place, int room) throws IOException {
        return new Made(makeIn(place.path(), room), place.volume());
    }

    private Path makeIn(Path parent, int room) throws IOException {
        while (true) {
            try {
                Path drawn = parent.toAbsolutePath().resolve(Names.unused(RunDirectory.PREFIX, ""));
                Path made = opened(Files.createDirectory(drawn, MODE));
                requireRoom(made, room);
                return made;
            } catch (FileAlreadyExistsException e) {
                // Somebody has drawn the same name; the next draw is a different one.
            }
        }
    }

    /**
     * Makes a directory with a program in it, in the first place where programs may be run.
     *
     * @throws MusterException when there is none
     */
    Path makeProgram(String name, byte[] content) {
        List<String> problems = new ArrayList<>();
        return makeIn(open, place -> new Made(program(makeIn(place, 0), name, content), Optional.empty()), problems)
                .map(Made::path)
                .orElseThrow(() -> MusterException.configuration("no program can be run in "
                        + String.join(", ", problems)
                        + ". Set TMPDIR to a directory in which programs may be run, one that is not mounted noexec"));
    }

    private static Path program(Path directory, String name, byte[] content) throws IOException {
        Path file = directory.resolve(name);
        try {
            if (file.toString().length() > LONGEST_PROGRAM) {
                throw new IOException("its name is too long");
            }
            Files.write(file, content);
            Files.setPosixFilePermissions(file, MODE.value());
            if (!Files.isExecutable(file)) {
                throw new IOException("programs may not be run there");
            }
            return file;
        } catch (IOException unfit) {
            Directories.remove(directory);
            throw unfit;
        }
    }

    /** A caller's umask may have taken what its owner needs, to remove it, too. */
    private static Path opened(Path directory) throws IOException {
        if (!Files.isReadable(directory) || !Files.isWritable(directory) || !Files.isExecutable(directory)) {
            Files.setPosixFilePermissions(directory, MODE.value());
        }
        return directory;
    }

    /** What is full may still take a directory, and nothing in it. */
    private static void requireRoom(Path directory, int bytes) throws IOException {
        if (bytes > 0) {
            Path trial = directory.resolve("room");
            try {
                Files.write(trial, new byte[bytes]);
                Files.delete(trial);
            } catch (IOException full) {
                Directories.remove(directory);
                throw full;
            }
        }
    }

    private static MusterException refusal(boolean isClosed, List<String> problems) {
        return MusterException.configuration("cannot make a private temporary directory in "
                + String.join(", ", problems) + ". Set "
                + (isClosed
                        ? "XDG_RUNTIME_DIR to a directory that only you can write to, as all above it, with nothing in its"
                                + " path but letters, digits and /_.,+@=~-"
                        : "TMPDIR to a directory that can be written"));
    }
}
