package dev.muster.runtime.output;

import dev.muster.runtime.process.ProcessRequest.OutputTarget;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where the output of one process goes to. */
public final class ProcessOutput {

    /** Each has a file. The others print through the process alone. */
    private static final int MOST_RANKS = 256;

    private final StreamSpec spec;
    private final OutputPipe pipe;
    private final Function<StreamSpec, RankOutput> sinks;
    private final RankOutput own;
    private final Map<Integer, RankOutput> ranks = new ConcurrentHashMap<>();
    private final Optional<RankSplitter> splitter;
    private boolean hasEndedLine;
    private long heldSince;
    private volatile boolean isOver;
    private volatile LastOutput beforeStop = LastOutput.NOTHING;

    /** @param sinks makes what takes an output */
    ProcessOutput(StreamSpec spec, OutputPipe pipe, Function<StreamSpec, RankOutput> sinks) {
        this.spec = spec;
        this.pipe = pipe;
        this.sinks = sinks;
        this.own = sinks.apply(spec);
        this.splitter = spec.ranks().map(several -> new RankSplitter(several.tag(), this::take));
    }

    /** Where the process's output goes. */
    public OutputTarget target() {
        return pipe.target();
    }

    /** Where this JVM itself prints, in place of a process. Closed when there is nothing more. */
    public OutputStream sink() {
        return pipe.sink();
    }

    /** The process was started, or could not be: from now on it alone holds the output open. */
    public void started() throws IOException {
        pipe.started();
    }

    String id() {
        return spec.id();
    }

    String name() {
        return spec.name();
    }

    Pipe.SourceChannel channel() {
        return pipe.source();
    }

    LastOutput last() {
        return own.last();
    }

    Optional<LastOutput> lastOfRank(int rank) {
        return Optional.ofNullable(ranks.get(rank)).map(RankOutput::last);
    }

    /** Whether nothing more comes. */
    boolean isOver() {
        return isOver;
    }

    void stopBegins() {
        beforeStop = last();
    }

    LastOutput lastBeforeStop() {
        return beforeStop;
    }

    StreamReport report() {
        @Nullable LogFile log = own.log();
        return log == null
                ? new StreamReport(0, 0, Optional.empty())
                : new StreamReport(log.logged(), log.lost(), Optional.of(log.path()));
    }

    // --- the pump thread

    /**
     * Passes on what has come.
     *
     * @param buffer in the hands of nobody else
     * @param bytes as long as the buffer
     * @return the number of bytes, 0 when there is nothing at the moment, -1 when there will be nothing more
     */
    int transfer(ByteBuffer buffer, byte[] bytes) throws IOException {
        buffer.clear();
        int count = pipe.source().read(buffer);
        if (count > 0) {
            buffer.flip();
            buffer.get(0, bytes, 0, count);
            boolean held = holds();
            hasEndedLine = false;
            if (splitter.isPresent()) {
                splitter.get().accept(bytes, count);
            } else {
                take(OptionalInt.empty(), bytes, count);
            }
            if (hasEndedLine || !held) {
                heldSince = System.nanoTime();
            }
        }
        return count;
    }

    /** The log of the process has the output of all. */
    private void take(OptionalInt rank, byte[] bytes, int count) {
        own.keep(bytes, count);
        RankOutput its = rank.isPresent() ? ofRank(rank.getAsInt()) : own;
        if (its != own) {
            its.keep(bytes, count);
        }
        hasEndedLine |= its.lines().accept(bytes, count);
    }

    private RankOutput ofRank(int rank) {
        RankOutput known = ranks.get(rank);
        if (known == null && ranks.size() < MOST_RANKS) {
            known = sinks.apply(spec.ranks().orElseThrow().stream().apply(rank));
            ranks.put(rank, known);
        }
        return known == null ? own : known;
    }

    private Stream<LineFormatter> lines() {
        return Stream.concat(Stream.of(own), ranks.values().stream()).map(RankOutput::lines);
    }

    /** Whether a part of a line is held back. */
    boolean holds() {
        return lines().anyMatch(LineFormatter::holds);
    }

    /** Whether that is a progress bar. */
    boolean holdsProgress() {
        return lines().anyMatch(LineFormatter::holdsProgress);
    }

    /** When the line began to come. */
    long heldSince() {
        return heldSince;
    }

    void showPartial() {
        lines().filter(LineFormatter::holds).forEach(LineFormatter::showPartial);
    }

    /** There is nothing more to come, or nobody wants it. */
    void finish() throws IOException {
        isOver = true;
        pipe.close();
        splitter.ifPresent(RankSplitter::finish);
        ranks.values().forEach(RankOutput::close);
        own.close();
    }
}
