package dev.muster.runtime.questions;

import dev.muster.runtime.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Answers questions about this node. */
public final class NodeAnswers {

    /** Bytes of an answer. */
    public static final int LONGEST = 1024 * 1024;

    /** Characters of one text; what reads JSON takes twice as many. */
    static final int LONGEST_TEXT = 32 * 1024;

    private final NodeName name;
    private final Supplier<List<QuestionHandler>> handlers;
    private final UnaryOperator<String> mask;
    private final boolean isQuotedAcrossTheLink;
    private @Nullable List<QuestionHandler> made;
    private volatile Optional<RunningAttempt> attempt = Optional.empty();

    /**
     * Who answers.
     *
     * @param node as the link calls it
     * @param host as users know it
     */
    public record NodeName(Supplier<String> node, Supplier<String> host) {}

    /**
     * Nothing runs yet.
     *
     * @param handlers made when the first question comes
     * @param mask hides secrets in a text
     * @param isQuotedAcrossTheLink whether other nodes may have output and stacks
     */
    public NodeAnswers(
            NodeName name,
            Supplier<List<QuestionHandler>> handlers,
            UnaryOperator<String> mask,
            boolean isQuotedAcrossTheLink) {
        this.name = name;
        this.handlers = handlers;
        this.mask = mask;
        this.isQuotedAcrossTheLink = isQuotedAcrossTheLink;
    }

    /** From now on this runs; empty: nothing does. */
    public void runs(Optional<RunningAttempt> next) {
        attempt = next;
    }

    private synchronized List<QuestionHandler> handlers() {
        List<QuestionHandler> known = made;
        if (known == null) {
            known = handlers.get();
            made = known;
        }
        return known;
    }

    /** See {@link RunningAttempt#hangs}. */
    void hangs(String reason, boolean isToRestart) {
        attempt.ifPresent(one -> one.hangs(reason, isToRestart));
    }

    /**
     * The line that answers.
     *
     * @param isRemote whether it crosses the link
     */
    String answer(String kind, Map<String, Object> content, boolean isRemote) throws InterruptedException {
        Map<String, @Nullable Object> answer = new LinkedHashMap<>();
        answer.put("node", name.node().get());
        answer.put("host", name.host().get());
        try {
            answer.put("content", content(kind, content, isRemote));
        } catch (IllegalArgumentException refused) {
            answer.put("error", String.valueOf(refused.getMessage()));
        } catch (RuntimeException broken) {
            answer.put("error", "an error in Muster: " + broken + ". Please report it");
        }
        return Json.line(answer);
    }

    private Map<String, @Nullable Object> content(String kind, Map<String, Object> content, boolean isRemote)
            throws InterruptedException {
        QuestionHandler handler = handlers().stream()
                .filter(one -> one.kind().equals(kind))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "this node's Muster has no answer to " + kind + ". Install the same Muster on all nodes"));
        Question question = new Question(content, !isRemote || isQuotedAcrossTheLink);
        Map<String, @Nullable Object> answer = new LinkedHashMap<>(handler.answer(question, attempt));
        boolean isVerbatim = !isRemote && handler.isVerbatimHere();
        answer.replaceAll((key, value) -> shown(value, isVerbatim));
        return cut(answer);
    }

    private @Nullable Object shown(@Nullable Object value, boolean isVerbatim) {
        if (value instanceof Map<?, ?> map) {
            Map<String, @Nullable Object> shown = new LinkedHashMap<>();
            map.forEach((key, entry) -> shown.put(String.valueOf(key), shown(entry, isVerbatim)));
            return shown;
        }
        if (value instanceof List<?> list) {
            List<@Nullable Object> shown = new ArrayList<>();
            list.forEach(entry -> shown.add(shown(entry, isVerbatim)));
            return shown;
        }
        return value instanceof String text ? shorter(isVerbatim ? text : mask.apply(text)) : value;
    }

    private static String shorter(String text) {
        return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT) + "... (cut)";
    }

    /** The longest list loses its second half until the answer is short enough, which says so. */
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
