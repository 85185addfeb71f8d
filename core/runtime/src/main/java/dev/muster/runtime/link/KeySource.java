package dev.muster.runtime.link;

import dev.muster.runtime.link.KeyFile.Look;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Waits for the job's key. */
final class KeySource {

    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(100);

    private static final int SECRET_BYTES = 32;

    /** Who makes a file may give it its permissions a moment later. */
    private static final int LOOKS_UNTIL_WRONG = 10;

    private final LinkSettings settings;
    private final Errands errands;
    private @Nullable JobKey key;
    private @Nullable String secret;
    private @Nullable CompletableFuture<Look> look;
    private long due;
    private int wrongLooks;
    private String missing = "the link's key is not there yet";
    private @Nullable String wrong;

    KeySource(LinkSettings settings, Errands errands, long now) {
        this.settings = settings;
        this.errands = errands;
        due = now;
        if (settings.key() instanceof LinkKey.Known known) {
            key = JobKey.of(known.secret(), settings.jobId());
        }
        if (munge() != null && settings.launchers().leads()) {
            byte[] drawn = new byte[SECRET_BYTES];
            new SecureRandom().nextBytes(drawn);
            learn(HexFormat.of().formatHex(drawn));
        }
    }

    /** What shows whose a credential is; null: the key does not come that way. */
    @Nullable Munge munge() {
        return settings.key() instanceof LinkKey.OfCredential credential ? credential.munge() : null;
    }

    /** What the leader gives to who has its user's credentials, and members were given; null: nothing. */
    @Nullable String secret() {
        return secret;
    }

    void learn(String given) {
        secret = given;
        key = JobKey.of(given.getBytes(StandardCharsets.UTF_8), settings.jobId());
    }

    /** The leader has another key by now: it must be asked again, or read again. */
    void forget(long now) {
        if (munge() != null || settings.key() instanceof LinkKey.OfFile) {
            secret = null;
            key = null;
            due = now + PAUSE;
        }
    }

    /** Whether the file with the key may be that of the run before, which whoever made it has not taken away yet. */
    boolean mayBeOld() {
        return settings.run().number() > 1 && settings.key() instanceof LinkKey.OfFile;
    }

    /** Whether the leader can be met, with the key or to ask for it. */
    boolean isReady() {
        return key != null || munge() != null;
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
            look = errands.run(() -> KeyFile.look(file.file()));
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
