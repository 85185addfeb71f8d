package dev.muster.runtime.supervise;

import dev.muster.runtime.output.ProcessOutput;
import dev.muster.runtime.process.ProcessId;
import dev.muster.runtime.process.ProcessRequest;
import dev.muster.runtime.process.ProcessTable;
import dev.muster.runtime.process.Termination;
import dev.muster.runtime.threads.Daemon;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A service that goes on from run to run: its output and its end are told to the run that is. */
final class KeptService {

    private static final int BLOCK = 8192;

    private final ProcessRequest request;
    private final String content;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final CountDownLatch dry = new CountDownLatch(1);
    private @Nullable ProcessId id;
    private @Nullable Termination how;
    private @Nullable Consumer<Termination> onEnd;
    private @Nullable OutputStream sink;

    /**
     * It is not started yet.
     *
     * @param content what its files hold, in brief
     */
    KeptService(ProcessRequest request, String content) {
        this.request = request;
        this.content = content;
    }

    /** Whether it is what this request would start now. */
    boolean isLike(ProcessRequest other, String contentNow) {
        return request.equals(other) && content.equals(contentNow);
    }

    /** It was started; what it prints is read from now on, whether a run is there or not. */
    void started(ProcessId process, InputStream output) {
        id = process;
        Daemon.start("kept " + request.id(), () -> pass(output));
    }

    /** It has been started, so that it has one. */
    ProcessId id() {
        if (id == null) {
            throw new IllegalStateException(request.id() + " was not started");
        }
        return id;
    }

    /** The run that is hears of its end, and gets its output. */
    synchronized void belongsTo(ProcessOutput output, Consumer<Termination> run) throws IOException {
        if (output.target().isPresent()) {
            sink = new FileOutputStream(output.target().get().toFile(), true);
        }
        output.started(InputStream.nullInputStream());
        onEnd = run;
        if (how != null) {
            run.accept(how);
        }
    }

    /** Nobody is told anything until the next run. What one that has ended has printed last is passed on before. */
    void belongsToNobody(Duration limit) throws InterruptedException {
        if (hasEnded()) {
            dry.await(limit.toNanos(), TimeUnit.NANOSECONDS);
        }
        synchronized (this) {
            onEnd = null;
            closeSink();
        }
    }

    void ended(Termination termination) {
        synchronized (this) {
            how = termination;
            if (onEnd != null) {
                onEnd.accept(termination);
            }
        }
        ended.countDown();
    }

    /** Whether it runs no more; how it has ended may still be on its way. */
    synchronized boolean hasEnded() {
        return how != null || (id != null && !ProcessTable.isThere(id.pid(), id.start()));
    }

    /** How it has ended, if it has within a time. */
    Optional<Termination> end(Duration limit) {
        try {
            ended.await(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            return Optional.ofNullable(how);
        }
    }

    private void pass(InputStream output) {
        byte[] bytes = new byte[BLOCK];
        try (output) {
            for (int count = output.read(bytes); count >= 0; count = output.read(bytes)) {
                write(bytes, count);
            }
        } catch (IOException closed) {
            // There is nothing more to come.
        }
        synchronized (this) {
            closeSink();
        }
        dry.countDown();
    }

    private synchronized void write(byte[] bytes, int count) {
        try {
            if (sink != null) {
                sink.write(bytes, 0, count);
            }
        } catch (IOException nobodyReads) {
            closeSink();
        }
    }

    private void closeSink() {
        try {
            if (sink != null) {
                sink.close();
            }
        } catch (IOException unknown) {
            // It is closed all the same.
        }
        sink = null;
    }
}
