package dev.muster.runtime.link;

import dev.muster.runtime.errors.ExitCode;
import dev.muster.spi.LauncherNodes;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.security.SecureRandom;
import java.util.HexFormat;

/** What everything on the link's thread works with. */
final class LinkContext {

    private static final int READ_AT_ONCE = 64 * 1024;
    private static final int NONCE_BYTES = 16;

    final LinkSettings settings;
    final Party party;
    final Selector selector;
    final BlockingCalls calls;
    /** For names of hosts: nobody waits for a name server that is slow. */
    final BlockingCalls names;

    final KeySource keys;
    final LinkLog log;
    /** What comes over any connection is read into it first. */
    final ByteBuffer buffer = ByteBuffer.allocateDirect(READ_AT_ONCE);

    private final SecureRandom random = new SecureRandom();
    private final String job;
    private final String run;
    private boolean hasFailed;

    LinkContext(LinkSettings settings, Party party, Selector selector, long now, LinkLog log) {
        this.settings = settings;
        this.party = party;
        this.selector = selector;
        this.calls = new BlockingCalls(selector::wakeup);
        this.names = new BlockingCalls(selector::wakeup);
        this.keys = new KeySource(settings, calls, now);
        this.log = log;
        this.job = JobKey.hashOf(settings.jobId());
        this.run = settings.run().text();
    }

    LauncherNodes launchers() {
        return settings.launchers();
    }

    /** What this launcher says of itself in a new connection. */
    Hello hello() {
        byte[] drawn = new byte[NONCE_BYTES];
        random.nextBytes(drawn);
        return new Hello(
                Hello.VERSION, job, launchers().own(), run, HexFormat.of().formatHex(drawn));
    }

    /** The link cannot be made: the job ends, or goes on without it. Only the first reason counts. */
    void fail(ExitCode code, String reason, long now) {
        if (hasFailed) {
            return;
        }
        hasFailed = true;
        if (settings.required()) {
            party.ended(settings.refusal(code, reason), now);
        } else {
            log.warn(reason + "; this launcher goes on without the others");
        }
    }

    /** Whether {@link #fail} has said that it cannot be made. */
    boolean hasFailed() {
        return hasFailed;
    }

    void close() {
        calls.close();
        names.close();
    }
}
