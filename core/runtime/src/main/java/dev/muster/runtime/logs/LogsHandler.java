package dev.muster.runtime.logs;

import dev.muster.runtime.config.NumberList;
import dev.muster.runtime.questions.Question;
import dev.muster.runtime.questions.QuestionHandler;
import dev.muster.runtime.questions.RunningAttempt;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Tells what ranks of this node have printed last. Other nodes do not get whole logs. */
public final class LogsHandler implements QuestionHandler {

    public static final String KIND = "logs";

    /** In a question: a set of ranks; none: all. In an answer: a list of {@code rank} and {@code text}. */
    static final String RANKS = "ranks";

    @Override
    public Map<String, @Nullable Object> answer(Question question, Optional<RunningAttempt> attempt)
            throws InterruptedException {
        if (!question.mayQuote()) {
            throw new IllegalArgumentException(Question.NO_QUOTES);
        }
        Optional<BitSet> chosen =
                NumberList.ranks(String.valueOf(question.content().get(RANKS)));
        List<Map<String, Object>> ranks = new ArrayList<>();
        if (attempt.isPresent()) {
            for (RunningAttempt.NodeProcess process : attempt.get().processes()) {
                process.rank().ifPresent(rank -> {
                    if (chosen.map(set -> set.get(rank)).orElse(true)) {
                        ranks.add(Map.of("rank", rank, "text", attempt.get().lastOutput(process.id())));
                    }
                });
            }
        }
        return Map.of(RANKS, ranks);
    }
}
