package dev.muster.runtime.output;

import dev.muster.runtime.files.Descriptors;
import dev.muster.runtime.process.ProcessRequest.OutputTarget;
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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the file descriptor of a pipe that was just opened, which the JDK does not tell. It is recognised by the system's
 * name of the pipe, which only a new pipe has at two descriptors; a byte sent through it proves it.
 */
public final class PipeDescriptors {

    /** Held while a pipe is opened: nobody may take it for another one. */
    static final Object OPENING = new Object();

    private static final String PIPE = "pipe:[";
    /** How many descriptors from the last pipe's on are tried before all are looked at. */
    private static final int NEAR = 16;

    private static final byte PROOF = 42;

    /** Pipes that are not the one that was just opened. */
    private static final Set<String> KNOWN = new HashSet<>();

    private final Supplier<Path> sockets;
    private int lastRead;

    /** @param sockets gives a directory for Unix sockets, where descriptors cannot be found */
    public PipeDescriptors(Supplier<Path> sockets) {
        this.sockets = sockets;
        synchronized (OPENING) {
            know();
        }
    }

    /** Whatever pipe is there already is not ours: standard output and standard error can be the same one. */
    private static void know() {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(Descriptors.ALL)) {
            for (Path path : all) {
                pipeAt(path).ifPresent(KNOWN::add);
            }
        } catch (IOException e) {
            // Where the system has no such names, none is found later either.
        }
    }

    Path sockets() {
        return sockets.get();
    }

    /** A pipe by its number at either end, which open the same. */
    private record Found(String pipe, int read, int write) {}

    /** The numbers of both ends; empty where they cannot be found. */
    Optional<OutputTarget> find(Pipe pipe) {
        try {
            @Nullable Found found = findNear();
            if (found == null) {
                found = findAnywhere();
            }
            if (found == null || !proves(found, pipe)) {
                return Optional.empty();
            }
            KNOWN.add(found.pipe());
            lastRead = found.read();
            return Optional.of(OutputTarget.pipe(found.write(), found.read()));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private @Nullable Found findNear() {
        Map<String, Integer> seen = new HashMap<>();
        for (int descriptor = lastRead; descriptor < lastRead + NEAR; descriptor++) {
            @Nullable Found found = second(descriptor, seen);
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
                @Nullable Found found = second(Integer.parseInt(path.getFileName().toString()), seen);
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    /** The pipe at this descriptor, if it was seen at another one. */
    private @Nullable Found second(int descriptor, Map<String, Integer> seen) {
        @Nullable String target = pipeAt(Descriptors.of(descriptor)).orElse(null);
        if (target == null || KNOWN.contains(target)) {
            return null;
        }
        @Nullable Integer first = seen.putIfAbsent(target, descriptor);
        // The kernel gives the end for reading the lower number.
        return first == null ? null : new Found(target, Math.min(first, descriptor), Math.max(first, descriptor));
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
        try (OutputStream stream =
                new FileOutputStream(Descriptors.of(found.write()).toString(), true)) {
            stream.write(PROOF);
        }
        ByteBuffer received = ByteBuffer.allocate(2);
        return pipe.source().read(received) == 1 && received.get(0) == PROOF;
    }
}
