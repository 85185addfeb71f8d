package dev.muster.runtime.output;

import dev.muster.runtime.files.Descriptors;
import dev.muster.runtime.process.ProcessRequest.OutputTarget;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A pipe from a process to us, whose ends the supervisor opens by the numbers that they have in this JVM. The JDK does not tell
 * these: a new pipe is recognised by the system's name of it, which only a new pipe has at two descriptors.
 */
public final class OutputPipe {

    private static final String PIPE = "pipe:[";

    /** How many descriptors from the last pipe's on are tried before all are looked at. */
    private static final int NEAR = 16;

    /** Pipes that are not the one that was just opened: standard output and standard error can be the same one. */
    private static final Set<String> KNOWN = new HashSet<>();

    private static int lastRead;

    private final OutputTarget target;
    private final Pipe pipe;

    private OutputPipe(OutputTarget target, Pipe pipe) {
        this.target = target;
        this.pipe = pipe;
    }

    /** One for a process that is about to be started. Nobody may take the new pipe for another one, so that it waits its turn. */
    public static synchronized OutputPipe open() throws IOException {
        if (KNOWN.isEmpty()) {
            all().mapToObj(OutputPipe::nameAt).flatMap(Optional::stream).forEach(KNOWN::add);
            KNOWN.add("");
        }
        Pipe pipe = Pipe.open();
        Optional<OutputTarget> near = find(IntStream.range(lastRead, lastRead + NEAR));
        Optional<OutputTarget> found = near.isPresent() ? near : find(all());
        if (found.isEmpty()) {
            pipe.sink().close();
            pipe.source().close();
            throw new IOException("a new pipe is not found in " + Descriptors.ALL);
        }
        lastRead = found.get().read();
        nameAt(lastRead).ifPresent(KNOWN::add);
        return new OutputPipe(found.get(), pipe);
    }

    private static IntStream all() {
        @Nullable String @Nullable [] names = Descriptors.ALL.toFile().list();
        return names == null ? IntStream.empty() : Arrays.stream(names).mapToInt(Integer::parseInt);
    }

    private static Optional<OutputTarget> find(IntStream descriptors) {
        Map<String, Integer> seen = new HashMap<>();
        return descriptors
                .mapToObj(descriptor -> second(descriptor, seen))
                .flatMap(Optional::stream)
                .findFirst();
    }

    /** The pipe at this descriptor, if it was seen at another one. The kernel gives the end for reading the lower number. */
    private static Optional<OutputTarget> second(int descriptor, Map<String, Integer> seen) {
        return nameAt(descriptor)
                .filter(name -> !KNOWN.contains(name))
                .flatMap(name -> Optional.ofNullable(seen.putIfAbsent(name, descriptor)))
                .map(other -> new OutputTarget(Math.max(other, descriptor), Math.min(other, descriptor)));
    }

    private static Optional<String> nameAt(int descriptor) {
        try {
            Path name = Files.readSymbolicLink(Descriptors.of(descriptor));
            return Optional.of(name.toString()).filter(text -> text.startsWith(PIPE));
        } catch (IOException closed) {
            return Optional.empty();
        }
    }

    /** Where the process's output goes. */
    public OutputTarget target() {
        return target;
    }

    /** The process has its end; ours goes away, so that the end of the output can be seen. */
    public void started() throws IOException {
        pipe.sink().close();
    }

    /** Where this JVM itself prints, in place of a process. */
    OutputStream sink() {
        return Channels.newOutputStream(pipe.sink());
    }

    /** What the process prints. */
    public InputStream stream() {
        return Channels.newInputStream(pipe.source());
    }

    Pipe.SourceChannel source() {
        return pipe.source();
    }

    /** Nobody reads any more, or the process was not started. */
    public void close() throws IOException {
        pipe.sink().close();
        pipe.source().close();
    }
}
