package dev.muster.runtime.link;

import dev.muster.runtime.threads.Daemon;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.Security;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Asks the system for what can take long, on a thread of its own: addresses of hosts, files on distant disks. */
final class Errands {

    /** Loaded with the first question only: a change of a security property loads Java's whole logging. */
    private static final class Names {

        static {
            // Java would believe for ten seconds that a host does not exist which comes up now. One second spares name
            // servers.
            Security.setProperty("networkaddress.cache.negative.ttl", "1");
        }

        static InetAddress[] find(String host) throws UnknownHostException {
            return InetAddress.getAllByName(host);
        }
    }

    private final ThreadPoolExecutor thread = new ThreadPoolExecutor(
            1, 1, 5, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Daemon.named("link-errands"));

    private final Runnable whenDone;

    /** @param whenDone called by the other thread after each errand */
    Errands(Runnable whenDone) {
        this.whenDone = whenDone;
        thread.allowCoreThreadTimeOut(true);
    }

    /** All addresses of a host, or the exception. */
    CompletableFuture<InetAddress[]> addresses(String host) {
        return run(() -> Names.find(host));
    }

    /** What comes of it, or the exception. */
    <T> CompletableFuture<T> run(Callable<T> errand) {
        CompletableFuture<T> result = new CompletableFuture<>();
        thread.execute(() -> {
            try {
                result.complete(errand.call());
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
