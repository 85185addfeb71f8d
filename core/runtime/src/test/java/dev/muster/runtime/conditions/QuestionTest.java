package dev.muster.runtime.conditions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.spi.Condition;
import dev.muster.spi.Value;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Conditions that ask by commands or look at private files. */
@Timeout(60)
class QuestionTest {

    private static final List<Value> LOGIN = List.of(Value.of("login"));

    @TempDir
    private Path directory;

    private final BlockingQueue<Condition> met = new LinkedBlockingQueue<>();
    private final BlockingQueue<Consumer<Inquirer.Reply>> asked = new LinkedBlockingQueue<>();
    private final AtomicInteger ended = new AtomicInteger();
    private final List<ServerSocket> servers = new ArrayList<>();
    private Condition.PortOpen open = new Condition.PortOpen("127.0.0.1", 1);
    private @Nullable ConditionWatch watch;

    @BeforeEach
    void listen() throws IOException {
        open = listenOn("127.0.0.1");
    }

    @AfterEach
    void putAway() throws IOException {
        if (watch != null) {
            watch.close();
        }
        for (ServerSocket server : servers) {
            server.close();
        }
    }

    @Test
    void isAskedAgainUntilTheCodeIsRight() throws Exception {
        Condition login = new Condition.CommandEnds(LOGIN, 0, open);
        ConditionWatch watching = watch(login);

        answer(255, "Permission denied");
        Consumer<Inquirer.Reply> second = nextQuestion();
        assertThat(watching.reason(login)).isEqualTo("127.0.0.1: Permission denied");
        assertThat(watching.missing(login)).containsExactly("127.0.0.1 (Permission denied)");
        assertThat(met).isEmpty();
        second.accept(new Inquirer.Reply(0, "welcome"));

        assertThat(next()).isEqualTo(login);
        assertThat(watching.missing(login)).isEmpty();
    }

    @Test
    void isNotAskedBeforeThePortIsOpen() throws Exception {
        Condition.PortOpen closed = listenOn("127.0.0.1");
        servers.remove(1).close();
        Condition login = new Condition.CommandEnds(LOGIN, 0, closed);
        ConditionWatch watching = watch(login);
        while (!watching.reason(login).endsWith("refuses connections")) {
            Thread.onSpinWait();
        }

        assertThat(asked).isEmpty();
        assertThat(watching.missing(login)).containsExactly("127.0.0.1 (connection refused)");
        servers.add(new ServerSocket(closed.port(), 50, InetAddress.getLoopbackAddress()));
        answer(0, "");
        assertThat(next()).isEqualTo(login);
    }

    @Test
    void aHostWithoutAPortIsAskedAtOnce() throws Exception {
        Condition login = new Condition.CommandEnds(LOGIN, 0, "far", Optional.empty());
        Condition wrongKey = new Condition.CommandEnds(LOGIN, 4, "far", Optional.empty());
        ConditionWatch watching = watch(login, wrongKey);

        answer(255, "no such host");
        Consumer<Inquirer.Reply> second = nextQuestion();
        assertThat(watching.reason(login)).isEqualTo("far: no such host");
        assertThat(watching.missing(new Condition.AllOf(List.of(login, wrongKey))))
                .containsExactly("far (no such host)");
        second.accept(new Inquirer.Reply(0, "welcome"));

        assertThat(next()).isEqualTo(login);
    }

    @Test
    void conditionsShareTheRunsOfACommandAndOneAnswerIsEnough() throws Exception {
        Condition login = new Condition.CommandEnds(LOGIN, 0, open);
        Condition wrongKey = new Condition.CommandEnds(LOGIN, 4, open);
        watch(login, wrongKey);

        answer(255, "not yet");
        answer(4, "wrong host key");

        assertThat(next()).isEqualTo(wrongKey);
        assertThat(asked.poll(200, TimeUnit.MILLISECONDS)).isNull();
        assertThat(met).isEmpty();
    }

    @Test
    void theSameCommandForTwoPortsIsTwoQuestions() throws Exception {
        Condition.PortOpen other = listenOn("127.0.0.1");
        watch(new Condition.CommandEnds(LOGIN, 0, open), new Condition.CommandEnds(LOGIN, 0, other));

        answer(0, "");
        answer(0, "");

        assertThat(List.of(next(), next())).doesNotHaveDuplicates();
    }

    @Test
    void silentCommandsAreKnownByTheirCode() throws Exception {
        Condition login = new Condition.CommandEnds(LOGIN, 0, open);
        ConditionWatch watching = watch(login);

        answer(2, "  ");
        nextQuestion();

        assertThat(watching.missing(login)).containsExactly("127.0.0.1 (exit code 2)");
    }

    @Test
    void manyHostsAreAskedAtTheSameTime() throws Exception {
        List<Condition> logins = new ArrayList<>();
        for (int host = 1; host <= 64; host++) {
            logins.add(new Condition.CommandEnds(LOGIN, 0, listenOn("127.0.1." + host)));
        }
        Condition all = new Condition.AllOf(logins);
        watch(all);
        List<Consumer<Inquirer.Reply>> questions = new ArrayList<>();
        while (questions.size() < 64) {
            questions.add(nextQuestion());
        }

        questions.forEach(question -> question.accept(new Inquirer.Reply(0, "")));

        assertThat(next()).isEqualTo(all);
    }

    @Test
    void nobodyIsAskedAfterTheEnd() throws Exception {
        Condition login = new Condition.CommandEnds(LOGIN, 0, open);
        Condition file = new Condition.PrivateFileReady("release");
        ConditionWatch watching = watch(login, file);
        Consumer<Inquirer.Reply> question = nextQuestion();

        watching.stopAsking();
        while (ended.get() == 0) {
            Thread.onSpinWait();
        }
        question.accept(new Inquirer.Reply(0, ""));
        Files.writeString(directory.resolve("release"), "0");

        assertThat(next()).isEqualTo(file);
        assertThat(met).isEmpty();
        assertThat(asked).isEmpty();
    }

    @Test
    void aPrivateFileIsAwaited() throws Exception {
        Condition file = new Condition.PrivateFileReady("release");
        ConditionWatch watching = watch(file);
        assertThat(watching.reason(file)).startsWith("private file release ");
        Files.writeString(directory.resolve(".new"), "0");
        Files.move(directory.resolve(".new"), directory.resolve("release"));

        assertThat(next()).isEqualTo(file);
    }

    @Test
    void knowsTheAddressesOfHostsThatWereOpen() throws Exception {
        Condition.PortOpen byName = new Condition.PortOpen("localhost", open.port());
        ConditionWatch watching = watch(byName, new Condition.PortOpen("none.invalid", 1));
        next();

        assertThat(watching.addresses()).isEqualTo(Map.of("localhost", "127.0.0.1"));
    }

    private ConditionWatch watch(Condition... conditions) {
        Inquirer inquirer = new Inquirer() {
            @Override
            public Path privateFile(String name) {
                return directory.resolve(name);
            }

            @Override
            public Run ask(List<Value> command, Consumer<Reply> answered) {
                asked.add(answered);
                return ended::incrementAndGet;
            }
        };
        ConditionWatch started = new ConditionWatch(
                List.of(conditions), inquirer, System::nanoTime, (condition, when) -> met.add(condition));
        watch = started;
        started.start();
        return started;
    }

    private Condition.PortOpen listenOn(String address) throws IOException {
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getAllByName(address)[0]);
        servers.add(server);
        return new Condition.PortOpen(address, server.getLocalPort());
    }

    private Consumer<Inquirer.Reply> nextQuestion() throws InterruptedException {
        return Objects.requireNonNull(asked.poll(30, TimeUnit.SECONDS), "nobody asked");
    }

    private void answer(int exitCode, String line) throws InterruptedException {
        nextQuestion().accept(new Inquirer.Reply(exitCode, line));
    }

    private Condition next() throws InterruptedException {
        return Objects.requireNonNull(met.poll(30, TimeUnit.SECONDS), "nothing came true");
    }
}
