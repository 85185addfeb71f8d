package dev.muster.runtime.conditions;

import dev.muster.runtime.threads.Daemon;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.Security;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Finds the addresses of hosts. Asking the system can take long, so a few threads do it; addresses need no asking. */
final class HostNames {

    private static final int THREADS = 64;

    static {
        // Java would believe for ten seconds that a host does not exist which comes up now. One second spares name
        // servers.
        Security.setProperty("networkaddress.cache.negative.ttl", "1");
    }

    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            THREADS, THREADS, 5, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Daemon.named("conditions-names"));

    private final Lookup lookup;

    /** Asks for the address of a host; may take long. */
    interface Lookup {
        InetAddress find(String host) throws UnknownHostException;
    }

    /** Asks the system. */
    HostNames() {
        this(InetAddress::getByName);
    }

    HostNames(Lookup lookup) {
        this.lookup = lookup;
        threads.allowCoreThreadTimeOut(true);
    }

    /**
     * The host's address, or an {@link UnknownHostException} in the future.
     *
     * @param whenDone called by another thread, or by this one when the host is given by its address
     */
    CompletableFuture<InetAddress> find(String host, Runnable whenDone) {
        CompletableFuture<InetAddress> address = new CompletableFuture<>();
        if (isAddress(host)) {
            complete(address, host);
        } else {
            ask(host, address, whenDone);
        }
        return address;
    }

    private void ask(String host, CompletableFuture<InetAddress> address, Runnable whenDone) {
        try {
            threads.execute(() -> {
                complete(address, host);
                whenDone.run();
            });
        } catch (OutOfMemoryError noThread) {
            // There is no room for one at the moment; who asks asks again.
            address.completeExceptionally(new UnknownHostException(host + " (no thread can be made)"));
        }
    }

    void close() {
        threads.shutdownNow();
    }

    private void complete(CompletableFuture<InetAddress> address, String host) {
        try {
            address.complete(lookup.find(host));
        } catch (UnknownHostException e) {
            address.completeExceptionally(e);
        }
    }

    private static boolean isAddress(String host) {
        if (host.indexOf(':') >= 0) {
            return true;
        }
        for (int at = 0; at < host.length(); at++) {
            char character = host.charAt(at);
            if (character != '.' && (character < '0' || character > '9')) {
                return false;
            }
        }
        return true;
    }
}
