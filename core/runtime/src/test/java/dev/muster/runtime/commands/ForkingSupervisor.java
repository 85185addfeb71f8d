package dev.muster.runtime.commands;

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
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Starts and kills processes as the native supervisor would, as far as commands need it, from the JVM of a test. */
public final class ForkingSupervisor implements ProcessSupervisor {

    private static final String MARKER = "FORKING_SUPERVISOR";

    private final SortedMap<String, String> callers;
    private final AtomicLong ids = new AtomicLong();
    private final Map<Long, Process> processes = new ConcurrentHashMap<>();

    /** @param callers the environment that changes are made to */
    public ForkingSupervisor(SortedMap<String, String> callers) {
        this.callers = callers;
    }

    @Override
    public StartedProcess start(ProcessRequest request, ProcessListener listener) throws IOException {
        long id = ids.incrementAndGet();
        ProcessBuilder builder = new ProcessBuilder(request.command())
                .directory(request.directory().toFile());
        Map<String, String> environment = builder.environment();
        environment.clear();
        environment.putAll(callers);
        environment.keySet().removeAll(request.remove());
        environment.putAll(request.set());
        environment.put(MARKER, marker(id));
        builder.redirectInput(new File("/dev/null"));
        builder.redirectOutput(target(request.output()));
        builder.redirectError(target(request.errors().orElse(request.output())));
        Process process = builder.start();
        processes.put(id, process);
        CompletableFuture<Void> unused = process.onExit()
                .thenAccept(ended -> listener.ended(new ProcessEnd(
                        Termination.exited(ended.exitValue()), System.nanoTime(), 0, Duration.ZERO, Duration.ZERO)));
        return new StartedProcess(id, process.pid());
    }

    private static ProcessBuilder.Redirect target(ProcessRequest.OutputTarget target) {
        return target.write() < 0
                ? ProcessBuilder.Redirect.DISCARD
                : ProcessBuilder.Redirect.appendTo(new File("/proc/self/fd/" + target.write()));
    }

    private static String marker(long id) {
        return ProcessHandle.current().pid() + "." + id + ".";
    }

    @Override
    public void stop(StopOrder order) {
        for (long id : order.only()) {
            Objects.requireNonNull(processes.get(id)).toHandle().destroyForcibly();
            kill(MARKER + "=" + marker(id));
        }
    }

    private static void kill(String variable) {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc"), "[1-9]*")) {
            for (Path process : all) {
                if (environment(process).contains(variable)) {
                    ProcessHandle.of(Long.parseLong(String.valueOf(process.getFileName())))
                            .ifPresent(each -> {
                                each.destroyForcibly();
                                each.onExit().join();
                            });
                }
            }
        } catch (IOException noProc) {
            throw new IllegalStateException(noProc);
        }
    }

    private static String environment(Path process) {
        try {
            return Files.readString(process.resolve("environ"), StandardCharsets.ISO_8859_1);
        } catch (IOException gone) {
            return "";
        }
    }

    @Override
    public void signal(long id, int number, SignalScope scope) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void release(long id) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void settings(SupervisorSettings settings) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void runs(String plugin) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void taken(int signal) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Path program() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void caught(int signal) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void reply(long connection, String text, boolean isLast) {
        throw new UnsupportedOperationException();
    }

    @Override
    public LockAnswer lock(String job, String node, Duration grace) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void listen(SupervisorListener listener) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CallerContext caller() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void verdict(int code, String sentence) {
        throw new UnsupportedOperationException();
    }
}
