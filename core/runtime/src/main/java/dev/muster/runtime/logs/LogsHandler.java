package dev.muster.runtime.logs;

import dev.muster.runtime.config.NumberList;
import dev.muster.runtime.questions.Question;
import dev.muster.runtime.questions.QuestionHandler;
import dev.muster.runtime.questions.RunningAttempt;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Answers what ranks of this node printed last, and then what is new. Other nodes do not get whole logs. */
public final class LogsHandler implements QuestionHandler {

    public static final String KIND = "logs";

    /** In a question: a set of ranks; empty: all. In an answer: a list of {@code rank} and {@code text}. */
    static final String RANKS = "ranks";

    /** In a question: the name of a reader that asks repeatedly; empty: it asks once. */
    static final String READER = "reader";

    /** In a question: the ranks whose last answer arrived. The handler sends the answer again for the others. */
    static final String GOT = "got";

    /** In a question of a reader: its number. A late question takes no lines, because the reader ignores its answer. */
    static final String TURN = "turn";

    /** In an answer to a reader, beside {@code text}: the log offset where the text ends. It tells answers apart. */
    static final String END = "end";

    /** Bytes of one log in an answer. An answer with a hundred ranks is not cut. */
    private static final int MOST = 8 * 1024;

    /** The last part that each reader got of each log. It is kept while the job runs: three numbers for each {@code muster logs -f}. */
    private final Map<String, Sent> sent = new HashMap<>();
    /** The logs of the last attempt that ran. */
    private volatile JobLogs logs = new JobLogs("");

    @Override
    public Map<String, @Nullable Object> answer(Question question, Optional<RunningAttempt> attempt)
            throws InterruptedException {
        if (!question.mayQuote()) {
            throw new IllegalArgumentException(Question.NO_QUOTES);
        }
        JobLogs known = knownLogs(attempt);
        String reader = String.valueOf(question.content().get(READER));
        long turn = question.content().get(TURN) instanceof Number number ? number.longValue() : 0;
        BitSet got = ranks(question, GOT);
        List<Map<String, Object>> ranks = new ArrayList<>();
        known.ranks(ranks(question, RANKS)).forEach((rank, path) -> {
            Map<String, Object> answer = new HashMap<>(Map.of("rank", rank));
            Optional<String> news =
                    reader.isEmpty() ? Optional.empty() : newLines(reader + path, path, turn, got.get(rank), answer);
            String last = attempt.map(one -> one.lastOutput(known.id(rank))).orElse("");
            answer.put("text", news.orElse(last));
            ranks.add(answer);
        });
        return Map.of(RANKS, ranks);
    }

    private JobLogs knownLogs(Optional<RunningAttempt> attempt) throws InterruptedException {
        try {
            if (attempt.isPresent()) {
                JobLogs now = new JobLogs("");
                now.add(attempt.get().rows());
                logs = now.isEmpty() ? logs : now;
            }
        } catch (IllegalArgumentException busy) {
            // The logs that are known already can be read.
            if (logs.isEmpty()) {
                throw busy;
            }
        }
        return logs;
    }

    private static BitSet ranks(Question question, String key) {
        return NumberList.ranks(String.valueOf(question.content().get(key))).orElseGet(BitSet::new);
    }

    /**
     * Whole lines that are new for a reader; empty: the reader itself is new.
     *
     * @param hasGot whether the last answer arrived; it may be lost when the job starts again
     */
    private synchronized Optional<String> newLines(
            String reader, Path path, long turn, boolean hasGot, Map<String, Object> answer) {
        try (FileChannel file = FileChannel.open(path)) {
            Sent last = sent.get(reader);
            if (last != null && turn < last.turn) {
                return Optional.of("");
            }
            Sent next = last == null
                    ? new Sent(turn, Sent.MEMORY, file.size())
                    : hasGot ? after(last.end, turn, file) : new Sent(turn, last.from, last.end);
            sent.put(reader, next);
            answer.put(END, next.end);
            return next.from == Sent.MEMORY
                    ? Optional.empty()
                    : Optional.of(new String(next.of(file), StandardCharsets.UTF_8));
        } catch (IOException gone) {
            return Optional.of("");
        }
    }

    private static Sent after(long end, long turn, FileChannel file) throws IOException {
        long from = end > file.size() ? 0 : end;
        byte[] bytes = new Sent(turn, from, Math.min(file.size(), from + MOST)).of(file);
        int lines = new String(bytes, StandardCharsets.ISO_8859_1).lastIndexOf('\n') + 1;
        return new Sent(turn, from, from + (lines == 0 && bytes.length == MOST ? MOST : lines));
    }

    /**
     * A part of a log, in bytes.
     *
     * @param turn the number of the last question about it
     * @param from {@link #MEMORY}: the rank's last output in memory was sent instead of a part
     */
    private record Sent(long turn, long from, long end) {

        private static final long MEMORY = -1;

        byte[] of(FileChannel file) throws IOException {
            ByteBuffer bytes = ByteBuffer.allocate((int) (end - from));
            file.read(bytes, from);
            return Arrays.copyOf(bytes.array(), bytes.position());
        }
    }
}
