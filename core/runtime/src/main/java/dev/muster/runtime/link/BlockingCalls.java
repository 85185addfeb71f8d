package dev.muster.runtime.link;

import dev.muster.runtime.threads.Daemon;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Asks the system for what can take long, one after another on a thread of its own: addresses, files on distant disks, munge. */
final class BlockingCalls {

    private final ThreadPoolExecutor thread =
            new ThreadPoolExecutor(1, 1, 5, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Daemon.named("link-calls"));
    private final Runnable whenDone;

    /** @param whenDone called by the other thread after each call */
    BlockingCalls(Runnable whenDone) {
        this.whenDone = whenDone;
        thread.allowCoreThreadTimeOut(true);
    }

    /** What comes of it, or the exception. */
    <T> CompletableFuture<T> run(Callable<T> call) {
        CompletableFuture<T> result = new CompletableFuture<>();
        thread.execute(() -> {
            try {
                result.complete(call.call());
            } catch (Exception e) {
                result.completeExceptionally(e);
            } catch (Error e) {
                result.completeExceptionally(e);
                throw e;
            } finally {
                whenDone.run();
            }
        });
        return result;
    }

    void close() {
        thread.shutdownNow();
    }
}
