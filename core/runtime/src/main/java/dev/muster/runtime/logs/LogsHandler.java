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
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Tells what ranks of this node have printed last, and then what is new. Other nodes do not get whole logs. */
public final class LogsHandler implements QuestionHandler {

    public static final String KIND = "logs";

    /** In a question: a set of ranks; none: all. In an answer: a list of {@code rank} and {@code text}. */
    static final String RANKS = "ranks";

    /** In a question: a word of whoever asks again and again; empty: once. */
    static final String READER = "reader";

    /** Bytes of one log in an answer: with those of a hundred ranks it is not cut. */
    private static final int MOST = 8 * 1024;

    /** How far each reader has each log: some numbers for each {@code muster logs -f}, as long as the job runs. */
    private final Map<String, Long> positions = new ConcurrentHashMap<>();
    /** Of the last attempt that ran. */
    private volatile JobLogs logs = new JobLogs("");

    @Override
    public Map<String, @Nullable Object> answer(Question question, Optional<RunningAttempt> attempt)
            throws InterruptedException {
        if (!question.mayQuote()) {
            throw new IllegalArgumentException(Question.NO_QUOTES);
        }
        if (attempt.isPresent()) {
            JobLogs now = new JobLogs("");
            now.add(attempt.get().listed());
            logs = now.isEmpty() ? logs : now;
        }
        String reader = String.valueOf(question.content().get(READER));
        JobLogs known = logs;
        NavigableMap<Integer, Path> chosen = known.ranks(
                NumberList.ranks(String.valueOf(question.content().get(RANKS))).orElseGet(BitSet::new));
        List<Map<String, Object>> ranks = new ArrayList<>();
        chosen.forEach((rank, path) -> {
            Optional<String> news = reader.isEmpty() ? Optional.empty() : news(reader + path, path);
            String last = attempt.map(one -> one.lastOutput(known.id(rank))).orElse("");
            ranks.add(Map.of("rank", rank, "text", news.orElse(last)));
        });
        return Map.of(RANKS, ranks);
    }

    /** Whole lines that a reader has not got yet; empty for a new one. */
    private Optional<String> news(String reader, Path path) {
        try (FileChannel file = FileChannel.open(path)) {
            Long known = positions.putIfAbsent(reader, file.size());
            if (known == null) {
                return Optional.empty();
            }
            long from = known > file.size() ? 0 : known;
            byte[] bytes = new byte[(int) Math.min(MOST, file.size() - from)];
            file.read(ByteBuffer.wrap(bytes), from);
            String text = new String(bytes, StandardCharsets.ISO_8859_1);
            int end = text.lastIndexOf('\n') + 1;
            end = end == 0 && bytes.length == MOST ? MOST : end;
            positions.put(reader, from + end);
            return Optional.of(new String(bytes, 0, end, StandardCharsets.UTF_8));
        } catch (IOException gone) {
            return Optional.of("");
        }
    }
}
