package dev.muster.runtime.output;

import dev.muster.runtime.files.Descriptors;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the file descriptor of a pipe that was just opened, which the JDK does not tell. It is recognised by the system's
 * name of the pipe, which only a new pipe has at two descriptors; a byte sent through it proves it.
 */
final class PipeDescriptors {

    private static final String PIPE = "pipe:[";
    /** How many descriptors from the last pipe's on are tried before all are looked at. */
    private static final int NEAR = 16;

    private static final byte PROOF = 42;

    /** Pipes that are not the one that was just opened. */
    private final Set<String> known = new HashSet<>();

    private int lastRead;

    /** Whatever pipe is there already is not ours: standard output and standard error can be the same one. */
    PipeDescriptors() {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(Descriptors.ALL)) {
            for (Path path : all) {
                pipeAt(path).ifPresent(known::add);
            }
        } catch (IOException e) {
            // Where the system has no such names, none is found later either.
        }
    }

    /**
     * One end of a pipe.
     *
     * @param path to open it by
     */
    record Found(String pipe, Path path) {}

    /** A name to open the pipe's write end by; empty where the system has no such names. */
    synchronized Optional<Found> find(Pipe pipe) {
        try {
            @Nullable Found found = findNear();
            if (found == null) {
                found = findAnywhere();
            }
            if (found == null || !proves(found, pipe)) {
                return Optional.empty();
            }
            known.add(found.pipe());
            return Optional.of(found);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Our write end is closed. */
    synchronized void release(Found found) {
        known.remove(found.pipe());
    }

    private @Nullable Found findNear() {
        Map<String, Integer> seen = new HashMap<>();
        for (int descriptor = lastRead; descriptor < lastRead + NEAR; descriptor++) {
            @Nullable Found found = second(Descriptors.of(descriptor), descriptor, seen);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private @Nullable Found findAnywhere() throws IOException {
        Map<String, Integer> seen = new HashMap<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(Descriptors.ALL)) {
            for (Path path : all) {
                @Nullable Found found = second(path, Integer.parseInt(path.getFileName().toString()), seen);
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    /** The pipe at this descriptor, if it was seen at another one. */
    private @Nullable Found second(Path path, int descriptor, Map<String, Integer> seen) {
        @Nullable String target = pipeAt(path).orElse(null);
        if (target == null || known.contains(target)) {
            return null;
        }
        @Nullable Integer first = seen.putIfAbsent(target, descriptor);
        if (first == null) {
            return null;
        }
        lastRead = Math.min(first, descriptor);
        return new Found(target, path);
    }

    private static Optional<String> pipeAt(Path descriptor) {
        try {
            String target = Files.readSymbolicLink(descriptor).toString();
            return target.startsWith(PIPE) ? Optional.of(target) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static boolean proves(Found found, Pipe pipe) throws IOException {
        try (OutputStream stream = new FileOutputStream(found.path().toString(), true)) {
            stream.write(PROOF);
        }
        ByteBuffer received = ByteBuffer.allocate(2);
        return pipe.source().read(received) == 1 && received.get(0) == PROOF;
    }
}
