package dev.muster.runtime.supervise;

import dev.muster.runtime.inputs.ResetFile;
import dev.muster.runtime.threads.Daemon;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Looks at the platform's list of faults again and again, on a thread of its own: a file system may take its time. */
final class FaultWatch implements AutoCloseable {

    private static final Duration PAUSE = Duration.ofMillis(250);

    private final CountDownLatch closed = new CountDownLatch(1);

    /** @param changed told what the first look shows, and what each that shows something else does */
    FaultWatch(Optional<ResetFile> file, Consumer<ResetFile.Seen> changed) {
        file.ifPresent(there -> Daemon.start("card faults", () -> watch(there, changed)));
    }

    private void watch(ResetFile file, Consumer<ResetFile.Seen> changed) {
        Optional<ResetFile.Seen> last = Optional.empty();
        do {
            Optional<ResetFile.Seen> seen = Optional.of(file.look());
            if (!seen.equals(last)) {
                changed.accept(seen.get());
            }
            last = seen;
        } while (!isClosedWithinAPause());
    }

    private boolean isClosedWithinAPause() {
        try {
            return closed.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException nobodyDoesThat) {
            return true;
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
