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
import java.util.Objects;
import java.util.Optional;
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
    private int turn;

    @BeforeEach
    void begin() {
        log = directory.resolve("log");
        attempt = Optional.of((RunningAttempt) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {RunningAttempt.class},
                (self, method, arguments) -> method.getName().equals("rows")
                        ? List.of(Map.of("id", "own", "rank", 3, "log", log.toString()))
                        : "last of " + arguments[0]));
    }

    private void append(String text) throws IOException {
        Files.writeString(log, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private List<Object> ask(String reader) throws InterruptedException {
        return ask(reader, "3");
    }

    private List<Object> ask(String reader, String got) throws InterruptedException {
        turn++;
        return ask(reader, got, turn);
    }

    /** Asks a launcher for log lines, and returns the texts of its answer. */
    private List<Object> ask(String reader, String got, int number) throws InterruptedException {
        Question question = new Question(Map.of("ranks", "2-3", "reader", reader, "turn", number, "got", got), true);
        return ((List<?>)
                        Objects.requireNonNull(handler.answer(question, attempt).get("ranks")))
                .stream()
                        .<Object>map(rank -> Objects.requireNonNull(((Map<?, ?>) rank).get("text")))
                        .toList();
    }

    @Test
    void aReaderGetsWhatWasPrintedLastAndThenNewLines() throws Exception {
        append("old\npart");
        assertThat(ask("a")).containsExactly("last of own");
        append(" of a line\nmore");
        assertThat(ask("a")).containsExactly(" of a line\n");
        assertThat(ask("a")).containsExactly("");
        append(" than that\n");
        assertThat(ask("b")).containsExactly("last of own");
        assertThat(ask("a")).containsExactly("more than that\n");
        assertThat(ask("")).containsExactly("last of own");
    }

    @Test
    void anAnswerThatHasNotComeIsSentAgain() throws Exception {
        append("old\n");
        ask("a");
        assertThat(ask("a", "")).containsExactly("last of own");
        append("new\n");
        assertThat(ask("a")).containsExactly("new\n");
        append("newer\n");
        assertThat(ask("a", "2,4-9")).containsExactly("new\n");
        assertThat(ask("a")).containsExactly("newer\n");
    }

    @Test
    void aQuestionThatComesLateTakesNoLines() throws Exception {
        append("old\n");
        ask("a");
        int late = turn;
        ask("a");
        append("new\n");
        assertThat(ask("a", "3", late)).containsExactly("");
        assertThat(ask("a")).containsExactly("new\n");
    }

    @Test
    void whatCameBeforeTheEndOfAnAttemptIsToldAfterIt() throws Exception {
        append("old\n");
        ask("a");
        append("last words\n");
        attempt = Optional.empty();
        assertThat(ask("a")).containsExactly("last words\n");
    }

    @Test
    void aLongLineComesInPiecesAndAnEmptiedLogAnew() throws Exception {
        append("");
        ask("a");
        append("x".repeat(MOST + 1) + "\n");
        assertThat(ask("a")).containsExactly("x".repeat(MOST));
        assertThat(ask("a")).containsExactly("x\n");
        Files.writeString(log, "new\n");
        assertThat(ask("a")).containsExactly("new\n");
    }
}
