package dev.muster.runtime.link;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A member's part of asking its leader for the key: one credential goes, one comes. */
final class KeyAsking {

    /** What follows. */
    sealed interface Step {

        /** Goes to the leader. */
        record Send(String line) implements Step {}

        /** The job's key. */
        record Secret(String text) implements Step {}

        /** There will be no key this time. */
        record Failed(String why) implements Step {}
    }

    private final Munge munge;
    private final Errands errands;
    private final Hello own;
    private @Nullable CompletableFuture<Step> next;

    KeyAsking(Munge munge, Errands errands, Hello own) {
        this.munge = munge;
        this.errands = errands;
        this.own = own;
    }

    void start() {
        go(() -> new Step.Send(new KeyQuestion(own, munge.make(KeyQuestion.question(own))).line()));
    }

    /** Goes on with the leader's answer; false: it is none. */
    boolean answered(byte[] line) {
        Optional<String> credential = KeyQuestion.credentialIn(line);
        if (next != null || credential.isEmpty()) {
            return false;
        }
        go(() -> new Step.Secret(KeyQuestion.secretIn(munge.open(credential.get()), own)
                .orElseThrow(() -> new IOException("its credential answers something else"))));
        return true;
    }

    /** What there is to do now; empty: nothing yet. */
    Optional<Step> step() {
        CompletableFuture<Step> done = next;
        if (done == null || !done.isDone()) {
            return Optional.empty();
        }
        next = null;
        return Optional.of(done.handle((step, problem) ->
                        problem == null ? step : new Step.Failed(String.valueOf(problem.getMessage())))
                .join());
    }

    private void go(Callable<Step> errand) {
        next = errands.run(errand);
    }
}
