package dev.muster.runtime.questions;

import dev.muster.runtime.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Answers questions about this node. */
public final class NodeAnswers {

    /** The most bytes of an answer. */
    public static final int LONGEST = 1024 * 1024;

    /** The most characters of one text. The JSON reader accepts twice as many. */
    static final int LONGEST_TEXT = 32 * 1024;

    private final Supplier<String> node;
    private final Supplier<String> host;
    private final Supplier<Map<String, QuestionHandler>> handlers;
    private final UnaryOperator<String> mask;
    private final boolean isQuotedAcrossTheLink;
    private @Nullable Map<String, QuestionHandler> made;

    /**
     * @param node as the link calls it
     * @param host as users know it
     * @param handlers by the kind of question: one word; made at the first question
     * @param mask hides secrets in a text
     * @param isQuotedAcrossTheLink whether other nodes may get output and stacks
     */
    public NodeAnswers(
            Supplier<String> node,
            Supplier<String> host,
            Supplier<Map<String, QuestionHandler>> handlers,
            UnaryOperator<String> mask,
            boolean isQuotedAcrossTheLink) {
        this.node = node;
        this.host = host;
        this.handlers = handlers;
        this.mask = mask;
        this.isQuotedAcrossTheLink = isQuotedAcrossTheLink;
    }

    private synchronized Map<String, QuestionHandler> handlers() {
        Map<String, QuestionHandler> known = made;
        if (known == null) {
            known = handlers.get();
            made = known;
        }
        return known;
    }

    /**
     * The answer as a line.
     *
     * @param attempt the running attempt; empty: none runs
     * @param isRemote whether the answer crosses the link
     */
    String answer(String kind, Map<String, Object> content, Optional<RunningAttempt> attempt, boolean isRemote)
            throws InterruptedException {
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        answer.put("node", node.get());
        answer.put("host", host.get());
        try {
            answer.put("content", content(kind, new Question(content, !isRemote || isQuotedAcrossTheLink), attempt));
        } catch (IllegalArgumentException refused) {
            answer.put("error", String.valueOf(refused.getMessage()));
        } catch (RuntimeException broken) {
            answer.put("error", "an error in Muster: " + broken + ". Please report it");
        }
        return Json.line(answer);
    }

    private Map<String, @Nullable Object> content(String kind, Question question, Optional<RunningAttempt> attempt)
            throws InterruptedException {
        QuestionHandler handler = handlers().get(kind);
        if (handler == null) {
            throw new IllegalArgumentException(
                    "this node's Muster has no answer to " + kind + ". Install the same Muster on all nodes");
        }
        return cut(Json.withTexts(handler.answer(question, attempt), text -> shorter(mask.apply(text))));
    }

    private static String shorter(String text) {
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "... (cut)";
    }

    /** Cuts the longest list in half until the answer is short enough. The answer then tells that it was cut. */
    private static Map<String, @Nullable Object> cut(Map<String, @Nullable Object> answer) {
        int length = length(answer);
        if (length <= LONGEST) {
            return answer;
        }
        answer.put("cut", "the answer of this node is " + length + " bytes; at most " + LONGEST + " are sent");
        while (length(answer) > LONGEST) {
            String longest = answer.keySet().stream()
                    .max((one, other) -> Integer.compare(length(answer.get(one)), length(answer.get(other))))
                    .orElseThrow();
            if (answer.get(longest) instanceof List<?> list && !list.isEmpty()) {
                answer.put(longest, List.copyOf(list.subList(0, list.size() / 2)));
            } else {
                answer.remove(longest);
            }
        }
        return answer;
    }

    private static int length(@Nullable Object value) {
        return Json.line(value).getBytes(StandardCharsets.UTF_8).length;
    }
}
