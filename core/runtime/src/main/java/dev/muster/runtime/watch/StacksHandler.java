package dev.muster.runtime.watch;

import dev.muster.runtime.commands.CommandRunner;
import dev.muster.runtime.config.NumberList;
import dev.muster.runtime.questions.Question;
import dev.muster.runtime.questions.QuestionHandler;
import dev.muster.runtime.questions.RunningAttempt;
import dev.muster.runtime.questions.RunningAttempt.NodeProcess;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers where each rank of this node stands.
 *
 * @param commands start py-spy
 * @param usual the signal for which ranks print their stacks, unless the question names one
 */
public record StacksHandler(CommandRunner commands, LongSupplier nanoClock, Optional<String> usual)
        implements QuestionHandler {

    public static final String KIND = "stacks";

    @Override
    public Map<String, @Nullable Object> answer(Question question, Optional<RunningAttempt> attempt)
            throws InterruptedException {
        if (!question.mayQuote()) {
            throw new IllegalArgumentException(Question.NO_QUOTES);
        }
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        answer.put("ranks", attempt.isEmpty() ? List.of() : ranks(attempt.get(), question.content()));
        return answer;
    }

    private synchronized List<Object> ranks(RunningAttempt attempt, Map<String, Object> question)
            throws InterruptedException {
        ProcessSnapshot snapshot = ProcessSnapshot.take(nanoClock.getAsLong());
        Optional<String> signal = question.get("signal") instanceof String name
                ? Optional.of(name).filter(named -> !named.isEmpty())
                : usual;
        StackReader reader = new StackReader(snapshot, commands, attempt, signal, nanoClock);
        Optional<BitSet> chosen = NumberList.ranks(String.valueOf(question.get("ranks")));
        List<Object> stacks = new ArrayList<>();
        for (NodeProcess rank : new RankFinder(snapshot).find(attempt)) {
            // A rank that has ended meanwhile has no stack.
            boolean isThere = rank.isRunning()
                    && rank.pid().stream().anyMatch(pid -> snapshot.find(pid).isPresent());
            boolean isMeant = chosen.map(ranks -> rank.rank().stream().anyMatch(ranks::get))
                    .orElse(true);
            if (isThere && isMeant) {
                stacks.add(reader.read(rank));
            }
        }
        return stacks;
    }
}
