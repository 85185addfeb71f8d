package dev.muster.runtime.supervise;

import dev.muster.runtime.output.OutputPipe;
import dev.muster.runtime.output.ProcessOutput;
import dev.muster.runtime.process.ProcessListener;
import dev.muster.runtime.process.ProcessListener.ProcessEnd;
import dev.muster.runtime.process.ProcessRequest;
import dev.muster.runtime.process.ProcessSupervisor.StartedProcess;
import dev.muster.runtime.process.Termination;
import dev.muster.runtime.threads.Daemon;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A service that goes on from run to run: its output and its end are told to the run that is. */
final class KeptService {

    private static final int BLOCK = 8192;

    private final ProcessRequest request;
    private final String content;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final CountDownLatch dry = new CountDownLatch(1);
    private @Nullable StartedProcess process;
    private @Nullable ProcessEnd end;
    private @Nullable ProcessListener listener;
    private @Nullable OutputStream sink;

    /**
     * It is not started yet.
     *
     * @param content its command and what its files hold, in brief
     */
    KeptService(ProcessRequest request, String content) {
        this.request = request;
        this.content = content;
    }

    /** Whether it is what would be started now. */
    boolean isLike(String contentNow) {
        return content.equals(contentNow);
    }

    /** It was started; what it prints is read from now on, whether an attempt is there or not. */
    void started(StartedProcess started, OutputPipe output) {
        process = started;
        Daemon.start("kept " + request.id(), () -> pass(output));
    }

    /** It has been started, so that there is one. */
    StartedProcess process() {
        if (process == null) {
            throw new IllegalStateException(request.id() + " was not started");
        }
        return process;
    }

    /** The attempt that runs hears of its end, and gets its output. */
    synchronized void belongsTo(ProcessOutput output, ProcessListener attempt) throws IOException {
        sink = output.sink();
        listener = attempt;
        if (end != null) {
            attempt.ended(end);
        }
    }

    /** Nobody is told anything until the next run. What one that has ended has printed last is passed on before. */
    void belongsToNobody(Duration limit) throws InterruptedException {
        if (hasEnded()) {
            dry.await(limit.toNanos(), TimeUnit.NANOSECONDS);
        }
        synchronized (this) {
            listener = null;
            closeSink();
        }
    }

    void ended(ProcessEnd how) {
        synchronized (this) {
            end = how;
            if (listener != null) {
                listener.ended(how);
            }
        }
        ended.countDown();
    }

    synchronized boolean hasEnded() {
        return end != null;
    }

    /** How it has ended, if it has within a time. */
    Optional<Termination> end(Duration limit) {
        try {
            ended.await(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            return Optional.ofNullable(end).map(ProcessEnd::termination);
        }
    }

    private void pass(OutputPipe pipe) {
        byte[] bytes = new byte[BLOCK];
        try (InputStream output = pipe.stream()) {
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
