package dev.muster.runtime.link;

import dev.muster.runtime.link.KeyFile.Look;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Waits for the job's key. */
final class KeySource {

    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int SECRET_BYTES = 32;
    /** Who makes a file may give it its permissions a moment later. */
    private static final int LOOKS_UNTIL_WRONG = 10;

    private static final String SEALED = "muster-link-key ";

    private final LinkSettings settings;
    private final BlockingCalls calls;
    private final @Nullable Munge munge;
    private @Nullable JobKey key;
    private String secret = "";
    private @Nullable CompletableFuture<Look> look;
    private long due;
    private int wrongLooks;
    private String missing = "the link's key is not there yet";
    private @Nullable String wrong;

    KeySource(LinkSettings settings, BlockingCalls calls, long now) {
        this.settings = settings;
        this.calls = calls;
        munge = settings.key() instanceof LinkKey.OfCredential credential ? credential.munge() : null;
        due = now;
        if (settings.key() instanceof LinkKey.Known known) {
            key = JobKey.of(known.secret(), settings.jobId());
        }
        if (munge != null) {
            byte[] drawn = new byte[SECRET_BYTES];
            new SecureRandom().nextBytes(drawn);
            secret = HexFormat.of().formatHex(drawn);
            key = of(secret);
        }
    }

    /** Whether a member draws its key, and gives it to a leader that has munge and its user. */
    boolean hasMunge() {
        return munge != null;
    }

    /**
     * This member's key in a credential, for one connection; for a thread that may wait. Only where {@link #hasMunge}.
     *
     * @throws IOException there is none; the message is for users
     */
    String sealed(Hello own) throws IOException, InterruptedException {
        return Objects.requireNonNull(munge).make(SEALED + own.nonce() + " " + secret);
    }

    /** The key in a member's credential. Only where {@link #hasMunge}. */
    CompletableFuture<JobKey> opened(Connection asker, String credential, Hello member, BlockingCalls opener) {
        Munge known = Objects.requireNonNull(munge);
        return opener.run(() -> {
            String before = SEALED + member.nonce() + " ";
            String text = asker.isClosed() ? "" : known.open(credential);
            if (!text.startsWith(before)) {
                throw new IOException("its credential is for something else");
            }
            return of(text.substring(before.length()));
        });
    }

    private JobKey of(String given) {
        return JobKey.of(given.getBytes(StandardCharsets.UTF_8), settings.jobId());
    }

    /**
     * The leader has another key: a file is read again where it may be that of the run before, which whoever made it has not taken
     * away yet.
     *
     * @return whether the key here may have been of another run
     */
    boolean forget(long now) {
        boolean mayBeOld = settings.run().number() > 1 && settings.key() instanceof LinkKey.OfFile;
        if (!mayBeOld || key == null) {
            return false;
        }
        key = null;
        due = now + PAUSE;
        return true;
    }

    /** Null: it is not there yet. */
    @Nullable JobKey key() {
        return key;
    }

    /** Why there is no key yet. */
    String missing() {
        return missing;
    }

    /** Why there will be none; null: there may be. */
    @Nullable String wrong() {
        return wrong;
    }

    /** Goes on looking; true: there is something new. */
    boolean look(long now) {
        if (key != null || wrong != null) {
            return false;
        }
        if (look == null && now - due >= 0 && settings.key() instanceof LinkKey.OfFile file) {
            look = calls.run(() -> KeyFile.look(file.file()));
        }
        if (look == null || !look.isDone()) {
            return false;
        }
        Look seen = look.handle((found, problem) -> problem == null ? found : new Look.NotYet(problem.toString()))
                .join();
        look = null;
        due = now + PAUSE;
        return learn(seen);
    }

    /** When {@link #look} has something to do even if nothing happens. */
    long due(long otherwise) {
        return key == null && wrong == null && look == null ? due : otherwise;
    }

    private boolean learn(Look seen) {
        if (seen instanceof Look.Found found) {
            key = JobKey.of(found.content(), settings.jobId());
            return true;
        }
        if (seen instanceof Look.Wrong bad) {
            missing = bad.reason();
            wrong = ++wrongLooks < LOOKS_UNTIL_WRONG ? null : settings.key().origin() + ": " + bad.reason();
            return wrong != null;
        }
        wrongLooks = 0;
        boolean isNew = !missing.equals(((Look.NotYet) seen).reason());
        missing = ((Look.NotYet) seen).reason();
        return isNew;
    }
}
