package dev.muster.runtime.output;

import dev.muster.runtime.files.Descriptors;
import dev.muster.runtime.process.ProcessRequest.OutputTarget;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;
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
        all().mapToObj(Descriptors::of).forEach(path -> pipeAt(path).ifPresent(KNOWN::add));
    }

    Path sockets() {
        return sockets.get();
    }

    /** A pipe by its number at either end, which open the same. */
    private record Found(String pipe, int read, int write) {}

    /** The numbers of both ends; empty where they cannot be found. */
    Optional<OutputTarget> find(Pipe pipe) {
        try {
            Optional<Found> near = find(IntStream.range(lastRead, lastRead + NEAR));
            Optional<Found> found = near.isPresent() ? near : find(all());
            if (found.isEmpty() || !proves(found.get(), pipe)) {
                return Optional.empty();
            }
            KNOWN.add(found.get().pipe());
            lastRead = found.get().read();
            return Optional.of(OutputTarget.pipe(found.get().write(), lastRead));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static IntStream all() {
        @Nullable String[] names = Descriptors.ALL.toFile().list();
        return names == null ? IntStream.empty() : Arrays.stream(names).mapToInt(Integer::parseInt);
    }

    private static Optional<Found> find(IntStream descriptors) {
        Map<String, Integer> seen = new HashMap<>();
        return descriptors
                .mapToObj(descriptor -> second(descriptor, seen))
                .flatMap(Optional::stream)
                .findFirst();
    }

    /** The pipe at this descriptor, if it was seen at another one. */
    private static Optional<Found> second(int descriptor, Map<String, Integer> seen) {
        @Nullable String target = pipeAt(Descriptors.of(descriptor)).orElse(null);
        if (target == null || KNOWN.contains(target)) {
            return Optional.empty();
        }
        @Nullable Integer first = seen.putIfAbsent(target, descriptor);
        // The kernel gives the end for reading the lower number.
        return Optional.ofNullable(first)
                .map(other -> new Found(target, Math.min(other, descriptor), Math.max(other, descriptor)));
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
