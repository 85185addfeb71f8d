package dev.muster.runtime.process;

import dev.muster.runtime.files.LauncherDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The lock of a part of a job on this machine. The native supervisor holds it, since it outlives this JVM. */
public final class JobLock {

    private final Consumer<SupervisorMessage> orders;
    private final long pid;
    private volatile CompletableFuture<Boolean> answer = new CompletableFuture<>();
    private volatile Optional<String> job = Optional.empty();
    private volatile boolean isLost;

    /** @param pid of the launcher, for launchers that find the lock taken */
    JobLock(Consumer<SupervisorMessage> orders, long pid) {
        this.orders = orders;
        this.pid = pid;
    }

    /** The job of which this launcher runs a part, or wants to. */
    public Optional<String> job() {
        return job;
    }

    /** The launcher wants to run this job. It may wait long before it takes the lock. */
    public void setJob(String ofJob) {
        job = Optional.of(ofJob);
    }

    /** Takes the lock. Without a place for locks, each launcher gets it. */
    public LockAnswer take(String ofJob, String part, Duration grace) throws IOException {
        job = Optional.of(ofJob);
        Optional<Path> directory = LauncherDirectory.make();
        if (directory.isEmpty()) {
            return LockAnswer.TAKEN;
        }
        UUID name = UUID.nameUUIDFromBytes((ofJob + "\n" + part).getBytes(StandardCharsets.UTF_8));
        Path file = directory.get().resolve(name + ".lock");
        CompletableFuture<Boolean> next = new CompletableFuture<>();
        answer = next;
        if (isLost) {
            throw StartedProcesses.lostException();
        }
        orders.accept(new SupervisorMessage("lock").with("file", file));
        if (!StartedProcesses.await(next)) {
            return LockAnswer.busy(file);
        }
        write(file, LockAnswer.text(pid, grace));
        return LockAnswer.TAKEN;
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
        } catch (IOException full) {
            // A launcher that waits cannot name this one.
            return;
        }
    }

    void onAnswer(boolean isTaken) {
        answer.complete(isTaken);
    }

    /** The supervisor is gone. */
    void onLost() {
        isLost = true;
        answer.completeExceptionally(StartedProcesses.lostException());
    }
}
