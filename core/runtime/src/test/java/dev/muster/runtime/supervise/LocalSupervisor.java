package dev.muster.runtime.supervise;

import dev.muster.runtime.process.CallerContext;
import dev.muster.runtime.process.ProcessListener;
import dev.muster.runtime.process.ProcessListener.ProcessEnd;
import dev.muster.runtime.process.ProcessRequest;
import dev.muster.runtime.process.ProcessSupervisor;
import dev.muster.runtime.process.SupervisorListener;
import dev.muster.runtime.process.SupervisorSettings;
import dev.muster.runtime.process.Termination;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Starts and stops real processes as the native supervisor does, as far as a JVM can: leaders and what descends from them. */
final class LocalSupervisor implements ProcessSupervisor {

    private static final int SIGNAL_BASE = 128;

    private final Map<Long, Process> running = new ConcurrentHashMap<>();
    private volatile @Nullable SupervisorListener events;
    /** What {@link #lock} says; after so many questions. */
    LockAnswer answer = new LockAnswer(true, 0, Duration.ZERO);

    @Override
    public StartedProcess start(ProcessRequest request, ProcessListener listener) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(request.command())
                .directory(request.directory().toFile());
        builder.environment().putAll(request.set());
        builder.environment().keySet().removeAll(request.remove());
        builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
        int write = request.output().write();
        File output = new File(write < 0 ? "/dev/null" : "/proc/self/fd/" + write);
        builder.redirectOutput(ProcessBuilder.Redirect.appendTo(output));
        builder.redirectError(ProcessBuilder.Redirect.appendTo(output));
        Process process = builder.start();
        running.put(process.pid(), process);
        CompletableFuture<Void> unused = process.onExit().thenAccept(ended -> {
            int value = ended.exitValue();
            Termination how =
                    value > SIGNAL_BASE ? Termination.signalled(value - SIGNAL_BASE) : Termination.exited(value);
            listener.ended(new ProcessEnd(how, System.nanoTime(), 0, Duration.ZERO, Duration.ZERO));
            running.remove(ended.pid());
        });
        return new StartedProcess(process.pid(), process.pid());
    }

    @Override
    public void signal(long id, int number, SignalScope scope) {
        ProcessHandle.of(id).filter(process -> number == 9).ifPresent(ProcessHandle::destroyForcibly);
    }

    @Override
    public void stop(StopOrder order) {
        List<ProcessHandle> meant = running.entrySet().stream()
                .filter(process -> order.only().isEmpty() || order.only().contains(process.getKey()))
                .filter(process -> !order.keep().contains(process.getKey()))
                .map(process -> process.getValue().toHandle())
                .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
                .toList();
        if (!order.grace().isZero()) {
            meant.forEach(ProcessHandle::destroy);
        }
        CompletableFuture<Void> unused = CompletableFuture.allOf(
                        meant.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new))
                .completeOnTimeout(null, order.grace().toNanos(), TimeUnit.NANOSECONDS)
                .thenRun(() -> {
                    meant.forEach(ProcessHandle::destroyForcibly);
                    meant.forEach(process -> process.onExit().join());
                    while (meant.stream().anyMatch(process -> running.containsKey(process.pid()))) {
                        Thread.onSpinWait();
                    }
                    listener().stopped(order.sequence());
                });
    }

    private SupervisorListener listener() {
        return Objects.requireNonNull(events);
    }

    @Override
    public void release(long id) {}

    @Override
    public void settings(SupervisorSettings settings) {}

    @Override
    public void runs(String plugin) {}

    @Override
    public void taken(int signal) {}

    @Override
    public void caught(int signal) {}

    @Override
    public void reply(long connection, String text, boolean isLast) {}

    @Override
    public LockAnswer lock(String job, String node, Duration grace) {
        return answer;
    }

    @Override
    public Path program() {
        return Path.of("/bin/false");
    }

    @Override
    public void listen(SupervisorListener listener) {
        events = listener;
    }

    @Override
    public CallerContext caller() {
        return new CallerContext(
                List.of(),
                new TreeMap<>(System.getenv()),
                Path.of("/"),
                ProcessHandle.current().pid(),
                0,
                0,
                true,
                false);
    }

    @Override
    public void verdict(int code, String sentence) {}
}
