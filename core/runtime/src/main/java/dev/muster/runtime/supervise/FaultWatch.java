package dev.muster.runtime.supervise;

import dev.muster.runtime.inputs.ResetFile;
import dev.muster.runtime.threads.Daemon;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** Looks at the platform's list of faults again and again, on a thread of its own: a file system may take its time. */
final class FaultWatch implements AutoCloseable {

    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(250);

    private volatile boolean isClosed;

    /** @param changed told what the first look shows, and what each that shows something else does */
    FaultWatch(Optional<ResetFile> file, Consumer<ResetFile.Seen> changed) {
        file.ifPresent(there -> Daemon.start("card faults", () -> watch(there, changed)));
    }

    private void watch(ResetFile file, Consumer<ResetFile.Seen> changed) {
        Optional<ResetFile.Seen> last = Optional.empty();
        while (!isClosed) {
            Optional<ResetFile.Seen> seen = Optional.of(file.look());
            if (!seen.equals(last)) {
                changed.accept(seen.get());
            }
            last = seen;
            LockSupport.parkNanos(PAUSE);
        }
    }

    @Override
    public void close() {
        isClosed = true;
    }
}
