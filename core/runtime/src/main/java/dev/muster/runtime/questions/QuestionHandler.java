package dev.muster.runtime.questions;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Answers one kind of question for its own node. */
public interface QuestionHandler {

    /**
     * Answers a question. It may be slow, because it runs in its own thread.
     *
     * @param attempt the running attempt; empty: none runs
     * @return a JSON object: maps, lists, texts, numbers, booleans, null. Texts of more than 32 KiB are cut
     * @throws IllegalArgumentException the question cannot be answered; the message is for users
     */
    Map<String, @Nullable Object> answer(Question question, Optional<RunningAttempt> attempt)
            throws InterruptedException;
}
