package dev.muster.runtime.logs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.questions.Question;
import dev.muster.runtime.questions.RunningAttempt;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogsHandlerTest {

    private static final int MOST = 8 * 1024;

    private final LogsHandler handler = new LogsHandler();

    @TempDir
    Path directory;

    private Path log = Path.of("");
    private Optional<RunningAttempt> attempt = Optional.empty();

    @BeforeEach
    void begin() {
        log = directory.resolve("log");
        attempt = Optional.of((RunningAttempt) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {RunningAttempt.class},
                (self, method, arguments) -> method.getName().equals("listed")
                        ? List.of(Map.of("id", "own", "rank", 3, "log", log.toString()))
                        : "last of " + arguments[0]));
    }

    private void append(String text) throws IOException {
        Files.writeString(log, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private @Nullable Object ask(String reader) throws InterruptedException {
        Question question = new Question(Map.of("ranks", "2-3", "reader", reader), true);
        return handler.answer(question, attempt).get("ranks");
    }

    private static List<Map<String, Object>> rank(String text) {
        return List.of(Map.of("rank", 3, "text", text));
    }

    @Test
    void aReaderGetsWhatWasPrintedLastAndThenNewLines() throws Exception {
        append("old\npart");
        assertThat(ask("a")).isEqualTo(rank("last of own"));
        append(" of a line\nmore");
        assertThat(ask("a")).isEqualTo(rank(" of a line\n"));
        assertThat(ask("a")).isEqualTo(rank(""));
        append(" than that\n");
        assertThat(ask("b")).isEqualTo(rank("last of own"));
        assertThat(ask("a")).isEqualTo(rank("more than that\n"));
        assertThat(ask("")).isEqualTo(rank("last of own"));
    }

    @Test
    void whatCameBeforeTheEndOfAnAttemptIsToldAfterIt() throws Exception {
        append("old\n");
        ask("a");
        append("last words\n");
        attempt = Optional.empty();
        assertThat(ask("a")).isEqualTo(rank("last words\n"));
    }

    @Test
    void aLongLineComesInPiecesAndAnEmptiedLogAnew() throws Exception {
        append("");
        ask("a");
        append("x".repeat(MOST + 1) + "\n");
        assertThat(ask("a")).isEqualTo(rank("x".repeat(MOST)));
        assertThat(ask("a")).isEqualTo(rank("x\n"));
        Files.writeString(log, "new\n");
        assertThat(ask("a")).isEqualTo(rank("new\n"));
    }
}
