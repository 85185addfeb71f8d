package dev.muster.runtime.link;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.runtime.threads.Daemon;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Shared state of the link's thread. */
final class LinkContext {

    private static final int READ_AT_ONCE = 64 * 1024;
    private static final int NONCE_BYTES = 16;
    private static final long KEY_PAUSE = TimeUnit.MILLISECONDS.toNanos(100);

    final LinkSettings settings;
    final Party party;
    final Selector selector;
    /** Makes connections, in calls that block. */
    final ThreadPoolExecutor connecting = thread();
    /** Resolves host names, so that a slow name server blocks no other call. */
    final ThreadPoolExecutor resolving = thread();

    final LinkLog log;
    /** The read buffer of all connections. */
    final ByteBuffer buffer = ByteBuffer.allocateDirect(READ_AT_ONCE);

    private final SecureRandom random = new SecureRandom();
    private final String job;
    private final String run;
    private boolean hasFailed;
    private @Nullable JobKey key;
    private long keyDue;
    private String keyMissing = "the link's key is not there yet";

    LinkContext(LinkSettings settings, Party party, Selector selector, long now, LinkLog log) {
        this.settings = settings;
        this.party = party;
        this.selector = selector;
        this.keyDue = now;
        this.log = log;
        this.job = JobKey.hashOf(settings.jobId());
        this.run = settings.run().text();
        key(now);
    }

    /** One thread, which is made on demand and ends when idle. */
    private static ThreadPoolExecutor thread() {
        ThreadPoolExecutor thread = new ThreadPoolExecutor(
                1, 1, 5, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Daemon.named("link-calls"));
        thread.allowCoreThreadTimeOut(true);
        return thread;
    }

    /** The key; null: its file is not there yet. Without a key this thread has nothing else to do. */
    @Nullable JobKey key(long now) {
        if (key == null && now - keyDue >= 0) {
            keyDue = now + KEY_PAUSE;
            try {
                key = JobKey.of(settings.key().read(), settings.jobId());
            } catch (IOException notYet) {
                keyMissing = String.valueOf(notYet.getMessage());
            }
        }
        return key;
    }

    /** Why there is no key yet. */
    String keyMissing() {
        return keyMissing;
    }

    /** When to look for the key again. */
    long keyDue() {
        return keyDue;
    }

    /** This launcher's hello for a new connection. */
    Hello hello() {
        byte[] drawn = new byte[NONCE_BYTES];
        random.nextBytes(drawn);
        return new Hello(
                Hello.VERSION,
                job,
                settings.launchers().own(),
                run,
                HexFormat.of().formatHex(drawn));
    }

    /** The link cannot be made: the job ends, or goes on without a link. Only the first reason counts. */
    void fail(ExitCode code, String reason, long now) {
        if (hasFailed) {
            return;
        }
        hasFailed = true;
        if (settings.required()) {
            party.endJob(settings.refusal(code, reason), now);
        } else {
            log.warn(reason + "; this launcher goes on without the others");
        }
    }

    /** Whether {@link #fail} was called. */
    boolean hasFailed() {
        return hasFailed;
    }

    void close() {
        connecting.shutdownNow();
        resolving.shutdownNow();
    }
}
