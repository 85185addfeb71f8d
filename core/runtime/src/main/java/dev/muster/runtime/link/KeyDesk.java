package dev.muster.runtime.link;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Where a leader answers who asks for the key: one at a time, in the order in which they came. Who has gone meanwhile is left out, so
 * no more wait than there are guests, and strangers cannot make more than two programs run at once.
 */
final class KeyDesk {

    /** Who is told what becomes of a question. */
    interface Waiting {

        void answered(Guest guest, String line, long now);

        /** @param why for users */
        void turnedAway(Guest guest, String why, long now);
    }

    private final Munge munge;
    private final String secret;
    private final Errands errands;
    private final Map<Guest, KeyQuestion> questions = new LinkedHashMap<>();
    private @Nullable Guest served;
    private @Nullable CompletableFuture<String> answer;

    /** @param errands of its own: names of hosts are looked up meanwhile */
    KeyDesk(Munge munge, String secret, Errands errands) {
        this.munge = munge;
        this.secret = secret;
        this.errands = errands;
    }

    void ask(Guest guest, KeyQuestion question) {
        questions.put(guest, question);
        serve();
    }

    /** Who has gone need not be answered. */
    void forget(Guest guest) {
        questions.remove(guest);
    }

    /** Gives the answer that has come. */
    void tick(Waiting waiting, long now) {
        CompletableFuture<String> done = answer;
        Guest guest = served;
        if (done == null || guest == null || !done.isDone()) {
            return;
        }
        answer = null;
        String problem = done.handle((line, wrong) -> wrong == null ? "" : String.valueOf(wrong.getMessage()))
                .join();
        if (problem.isEmpty()) {
            waiting.answered(guest, done.join(), now);
        } else {
            waiting.turnedAway(guest, problem, now);
        }
        serve();
    }

    void close() {
        errands.close();
    }

    private void serve() {
        if (answer != null || questions.isEmpty()) {
            return;
        }
        Guest next = questions.keySet().iterator().next();
        KeyQuestion question = Objects.requireNonNull(questions.remove(next));
        served = next;
        answer = errands.run(() -> answer(question));
    }

    private String answer(KeyQuestion question) throws IOException, InterruptedException {
        if (!munge.open(question.credential()).equals(KeyQuestion.question(question.member()))) {
            throw new IOException("its credential was made for something else");
        }
        return KeyQuestion.answerLine(munge.make(KeyQuestion.answer(question.member(), secret)));
    }
}
