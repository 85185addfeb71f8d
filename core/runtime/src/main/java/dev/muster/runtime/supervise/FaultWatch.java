package dev.muster.runtime.supervise;

import dev.muster.runtime.inputs.ResetFile;
import dev.muster.runtime.threads.Daemon;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** Polls the platform's list of card faults. It has its own thread, since a file system may be slow. */
final class FaultWatch implements AutoCloseable {

    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(250);

    private volatile boolean isClosed;

    /** @param changed gets the first state of the list, and each different one */
    FaultWatch(Optional<ResetFile> file, Consumer<ResetFile.Seen> changed) {
        file.ifPresent(there -> Daemon.start("card faults", () -> watch(there, changed)));
    }

    private void watch(ResetFile file, Consumer<ResetFile.Seen> changed) {
        Optional<ResetFile.Seen> last = Optional.empty();
        while (!isClosed) {
            Optional<ResetFile.Seen> seen = Optional.of(file.read());
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
