package dev.muster.runtime.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Directories of the job and of frameworks: whether they exist, are writable, and have room. */
final class PlacesCheck {

    private static final long MEBI = 1024L * 1024;

    /** A checkpoint, or the data loaders of a few ranks, need more than this. */
    private static final long LITTLE = 1024;

    private PlacesCheck() {}

    static Stream<Finding> findings(NodeFacts node) {
        return Stream.of(
                place("/dev/shm", "/dev/shm"),
                place("log-dir", node.launch().resolved().places().logDirectory()),
                place("workdir", node.workDirectory().toString()),
                place("tmp", node.variable("TMPDIR").orElse("/tmp")),
                place("home", node.variable("HOME").orElse("/")));
    }

    private static Finding place(String subject, String path) {
        boolean isMemory = subject.equals(path);
        boolean isWork = subject.equals("workdir");
        Path place = isMemory ? Path.of(path) : existing(Path.of(path));
        if (!Files.isDirectory(place)) {
            String other = isMemory ? "shm.missing" : "place.missing";
            return Finding.of(isWork ? "workdir.missing" : other, subject, place);
        }
        // Not all jobs write to their working directory.
        if (!Files.isWritable(place) && !isWork) {
            return Finding.of("place.closed", subject, place);
        }
        try {
            long free = Files.getFileStore(place).getUsableSpace() / MEBI;
            return free >= LITTLE
                    ? Finding.of("place", subject, path, free)
                    : isMemory ? Finding.of("shm", free) : Finding.of("place.full", subject, path, free);
        } catch (IOException untold) {
            return Finding.of("place", subject, path, "?");
        }
    }

    /** The directory, or the one in which it would be made. */
    private static Path existing(Path path) {
        Path parent = path.toAbsolutePath().getParent();
        return Files.exists(path) || parent == null ? path : existing(parent);
    }
}
