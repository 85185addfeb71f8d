package dev.muster.runtime.supervise;

import dev.muster.runtime.inputs.ResetFile;
import dev.muster.runtime.threads.Daemon;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Looks at the platform's list of faults again and again, on a thread of its own: a file system may take its time. */
final class FaultWatch implements AutoCloseable {

    private static final Duration PAUSE = Duration.ofMillis(250);

    private final Optional<ScheduledExecutorService> looks;
    private ResetFile.@Nullable Seen last;

    /** @param changed told what the first look shows, and what each that shows something else does */
    FaultWatch(Optional<ResetFile> file, Consumer<ResetFile.Seen> changed) {
        looks = file.map(there -> Executors.newSingleThreadScheduledExecutor(Daemon.named("card faults")));
        looks.ifPresent(timer -> timer.scheduleWithFixedDelay(
                () -> look(file.orElseThrow(), changed), 0, PAUSE.toMillis(), TimeUnit.MILLISECONDS));
    }

    private void look(ResetFile file, Consumer<ResetFile.Seen> changed) {
        try {
            ResetFile.Seen seen = file.look();
            if (!seen.equals(last)) {
                last = seen;
                changed.accept(seen);
            }
        } catch (RuntimeException | Error broken) {
            // The timer would keep it for itself, and look no more.
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, broken);
        }
    }

    @Override
    public void close() {
        looks.ifPresent(ScheduledExecutorService::shutdownNow);
    }
}
