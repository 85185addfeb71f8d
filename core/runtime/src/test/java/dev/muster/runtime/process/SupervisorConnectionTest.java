package dev.muster.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.runtime.process.ProcessListener.ProcessEnd;
import dev.muster.runtime.process.ProcessRequest.OutputTarget;
import dev.muster.runtime.process.ProcessSupervisor.LockAnswer;
import dev.muster.runtime.process.ProcessSupervisor.StartedProcess;
import dev.muster.runtime.process.ProcessSupervisor.StopOrder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SupervisorConnectionTest {

    private final BlockingQueue<ProcessEnd> ends = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private ScriptedSupervisor peer;
    private SupervisorConnection connection;

    @BeforeEach
    void begin() throws IOException {
        peer = new ScriptedSupervisor();
        peer.hello("A=b", "A=c", "EMPTY=", "no variable", "RAW=\udcff");
        connection = peer.connection();
        assertThat(peer.hear().kind()).isEqualTo("ready");
    }

    @AfterEach
    void end() throws IOException {
        peer.close();
    }

    @Test
    void whatTheCallerHasGivenIsKnownByteForByte() {
        CallerContext caller = connection.caller();

        assertThat(caller.arguments()).containsExactly("--help", "caf\udce9");
        assertThat(caller.variables()).isEqualTo(new TreeMap<>(Map.of("A", "b", "EMPTY", "", "RAW", "\udcff")));
        assertThat(caller.directory()).isEqualTo(Path.of("/here"));
        assertThat(caller.pid()).isEqualTo(4711);
        assertThat(caller.ignores(1)).isTrue();
        assertThat(caller.ignores(15)).isFalse();
        assertThat(caller.isInputTerminal()).isTrue();
        assertThat(caller.isContainers()).isFalse();
        assertThat(connection.caller().columns()).isEqualTo(120);
    }

    @Test
    void aProcessIsOrderedWithAllThatItHas() throws Exception {
        CompletableFuture<StartedProcess> started = starting(new ProcessRequest(
                "rank-0",
                List.of("/bin/caf\udce9", "x y"),
                new TreeMap<>(Map.of("RAW", "\udcff")),
                new TreeSet<>(Set.of("GONE")),
                Path.of("/work"),
                OutputTarget.pipe(7, 6),
                Optional.of(OutputTarget.socket(Path.of("/run/out"))),
                true,
                true,
                Optional.of(new ProcessRequest.Host(
                        new TreeSet<>(Set.of("orted")),
                        new TreeSet<>(Set.of("ssh")),
                        true,
                        Optional.of(Path.of("/note"))))));

        ScriptedSupervisor.Order order = peer.hear();

        assertThat(order.kind()).isEqualTo("start");
        assertThat(order.texts("arg")).containsExactly("/bin/caf\udce9", "x y");
        assertThat(order.texts("set")).containsExactly("RAW=\udcff");
        assertThat(order.texts("unset")).containsExactly("GONE");
        assertThat(order.texts("dir")).containsExactly("/work");
        assertThat(order.number("out")).isEqualTo(7);
        assertThat(order.texts("err")).containsExactly("/run/out");
        assertThat(order.texts("drain")).containsExactly("6");
        assertThat(order.number("input")).isEqualTo(1);
        assertThat(order.fields()).contains("wrapper=1", "host=1", "waits=1");
        assertThat(order.texts("pass")).containsExactly("orted");
        assertThat(order.texts("leave")).containsExactly("ssh");
        assertThat(order.texts("note")).containsExactly("/note");
        long id = order.number("id");
        peer.tell("started", "id=" + id, "pid=99", "born=5");
        assertThat(started.get()).isEqualTo(new StartedProcess(id, 99));
    }

    @Test
    void endsAreExact() throws Exception {
        started();
        ended(1, 137 << 8);
        started();
        ended(2, 9);

        ProcessEnd exited = ends.take();
        assertThat(exited.termination()).isEqualTo(Termination.exited(137));
        assertThat(exited.memoryKiB()).isEqualTo(2048);
        assertThat(exited.user()).isEqualTo(Duration.ofMillis(3));
        assertThat(exited.nanoTime()).isEqualTo(77);
        assertThat(ends.take().termination()).isEqualTo(Termination.signalled(9));
    }

    @Test
    void whatCannotBeMadeIsAnException() throws Exception {
        CompletableFuture<StartedProcess> started = starting(request("/bin/true"));
        peer.hear();

        failed(1, 11, "Resource temporarily unavailable");

        assertThatThrownBy(started::get)
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("Resource temporarily unavailable");
        assertThat(ends).isEmpty();
    }

    @Test
    void aProgramThatCannotBeExecutedIsAnEnd() throws Exception {
        for (Object[] failure : new Object[][] {{2, 127}, {13, 126}, {8, 126}, {12, 75}, {24, 75}}) {
            int id = started();
            failed(id, (int) failure[0], "");
            Termination termination = ends.take().termination();
            assertThat(termination.exitCode()).as("errno %s", failure).isEqualTo(failure[1]);
            assertThat(termination.startProblem()).isPresent();
        }
    }

    @Test
    void argumentsThatAreTooLongAreTold() throws Exception {
        CompletableFuture<StartedProcess> starting = starting(request("/bin/echo", "x".repeat(200_000)));
        tellStarted(peer.hear(), starting);

        failed(1, 7, "Argument list too long");

        assertThat(ends.take().termination().describe())
                .contains("Argument list too long", "the largest of them 200001", "131072 each");
    }

    @Test
    void aZeroByteIsRefusedBeforeAnythingIsSaid() {
        assertThatThrownBy(() -> connection.start(request("/bin/echo", "a\0b"), ends::add))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("zero byte");
    }

    @Test
    void ordersSayWhatIsMeant() throws Exception {
        connection.signal(3, 10, ProcessSupervisor.SignalScope.DESCENDANTS);
        connection.settings(
                new SupervisorSettings(Duration.ofSeconds(2), true, 143, Optional.of(Path.of("/d")), Optional.empty()));
        connection.verdict(3, "");

        ScriptedSupervisor.Order signal = peer.hear();
        assertThat(signal.kind()).isEqualTo("signal");
        assertThat(signal.number("scope")).isEqualTo(2);
        ScriptedSupervisor.Order settings = peer.hear();
        assertThat(settings.number("grace")).isEqualTo(2000);
        assertThat(settings.number("all")).isEqualTo(1);
        assertThat(settings.texts("dir")).containsExactly("/d");
        assertThat(settings.texts("log")).isEmpty();
        ScriptedSupervisor.Order verdict = peer.hear();
        assertThat(verdict.number("code")).isEqualTo(3);
        assertThat(verdict.texts("text")).isEmpty();
    }

    @Test
    void stopsAreToldByTheirOwnNumbersAndSomeToNobody() throws Exception {
        connection.listen(new Hearing());
        connection.stop(new StopOrder(StopOrder.UNHEARD, Set.of(5L), Set.of(), Duration.ZERO, true));
        connection.stop(new StopOrder(70, Set.of(), Set.of(2L), Duration.ofSeconds(1), false));
        int first = (int) peer.hear().number("sequence");
        ScriptedSupervisor.Order order = peer.hear();
        int second = (int) order.number("sequence");

        assertThat(second).isGreaterThan(first);
        assertThat(order.texts("keep")).containsExactly("2");
        assertThat(order.texts("only")).isEmpty();
        leftBehind(5);
        leftBehind(6);
        peer.tell("killing", "sequence=" + first, "count=1", "id=5");
        peer.tell("killing", "sequence=" + second, "count=2", "id=1");
        peer.tell("stopped", "sequence=" + first);
        peer.tell("stopped", "sequence=" + second);
        assertThat(heard.take()).isEqualTo("left behind 88 sleep 6");
        assertThat(heard.take()).isEqualTo("killing 70 2 [1]");
        assertThat(heard.take()).isEqualTo("stopped 70");
    }

    @Test
    void whatComesBeforeAnybodyListensIsKept() throws Exception {
        peer.tell("signal", "number=15", "sender=1");

        connection.listen(new Hearing());

        assertThat(heard.take()).isEqualTo("signal 15 1");
        peer.tell("request", "connection=9", "text=ps", "pid=8", "user=1000");
        assertThat(heard.take()).isEqualTo("requested 9 ps 8 1000");
    }

    @Test
    void theLockIsTakenOrAnothers() throws Exception {
        CompletableFuture<LockAnswer> first = inThread(() -> connection.lock("job", "0", Duration.ofSeconds(1)));
        assertThat(peer.hear().texts("text")).containsExactly("job");
        peer.tell("busy", "pid=5", "grace=1500");
        assertThat(first.get()).isEqualTo(new LockAnswer(false, 5, Duration.ofMillis(1500)));

        CompletableFuture<LockAnswer> second = inThread(() -> connection.lock("job", "0", Duration.ofSeconds(1)));
        peer.hear();
        peer.tell("locked");
        assertThat(second.get().isTaken()).isTrue();
    }

    @Test
    void theEndOfTheSupervisorIsTheEndOfAllStarts() throws Exception {
        connection.listen(new Hearing());
        CompletableFuture<StartedProcess> started = starting(request("/bin/true"));
        peer.hear();

        peer.close();

        assertThatThrownBy(started::get).hasMessageContaining("the supervisor is gone");
        assertThat(heard.take()).isEqualTo("lost");
        assertThatThrownBy(() -> connection.start(request("/bin/true"), ends::add))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> connection.lock("job", "0", Duration.ZERO)).isInstanceOf(IOException.class);
        connection.verdict(0, "");
        connection.listen(new Hearing());
        assertThat(heard.take()).as("also who listens later").isEqualTo("lost");
    }

    @Test
    void nonsenseIsTheEndToo() throws Exception {
        connection.listen(new Hearing());

        peer.tell("locked", "columns=1");

        assertThat(heard.take()).isEqualTo("lost");
    }

    @Test
    void aRecordThatIsTooLargeIsNonsense() throws Exception {
        connection.listen(new Hearing());

        peer.tellBytes(0x7f, 0xff, 0xff, 0xff, 33);

        assertThat(heard.take()).isEqualTo("lost");
    }

    private ProcessRequest request(String... command) {
        return new ProcessRequest(
                "p",
                List.of(command),
                new TreeMap<>(),
                new TreeSet<>(),
                Path.of("/"),
                OutputTarget.NOWHERE,
                Optional.empty(),
                false,
                false,
                Optional.empty());
    }

    private CompletableFuture<StartedProcess> starting(ProcessRequest request) {
        return inThread(() -> connection.start(request, ends::add));
    }

    private int started() throws Exception {
        CompletableFuture<StartedProcess> starting = starting(request("/bin/true"));
        ScriptedSupervisor.Order order = peer.hear();
        tellStarted(order, starting);
        return (int) order.number("id");
    }

    private void tellStarted(ScriptedSupervisor.Order order, CompletableFuture<StartedProcess> starting)
            throws Exception {
        int id = (int) order.number("id");
        peer.tell("started", "id=" + id, "pid=99", "born=5");
        starting.get(20, TimeUnit.SECONDS);
    }

    private void failed(int id, int error, String step) throws IOException {
        peer.tell("failed", "id=" + id, "error=" + error, "text=" + step);
    }

    private void leftBehind(int owner) throws IOException {
        peer.tell("leftBehind", "pid=88", "text=sleep", "id=" + owner);
    }

    private void ended(int id, int status) throws IOException {
        peer.tell("ended", "id=" + id, "status=" + status, "memory=2048", "user=3000", "system=1", "time=77");
    }

    private static <T> CompletableFuture<T> inThread(Callable<T> work) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return work.call();
            } catch (Exception refused) {
                throw new IllegalStateException(refused);
            }
        });
    }

    private final class Hearing implements SupervisorListener {

        @Override
        public void signalled(int number, long sender) {
            heard.add("signal " + number + " " + sender);
        }

        @Override
        public void leftBehind(long pid, String name, long owner) {
            heard.add("left behind " + pid + " " + name + " " + owner);
        }

        @Override
        public void killing(long sequence, int count, List<Long> ids) {
            heard.add("killing " + sequence + " " + count + " " + ids);
        }

        @Override
        public void remains(long sequence, long pid, String name) {
            heard.add("remains " + sequence + " " + pid + " " + name);
        }

        @Override
        public void stopped(long sequence) {
            heard.add("stopped " + sequence);
        }

        @Override
        public void hostedRanksEnded(long id) {
            heard.add("hosted " + id);
        }

        @Override
        public void requested(long asker, String line, long pid, long user) {
            heard.add("requested " + asker + " " + line + " " + pid + " " + user);
        }

        @Override
        public void lost() {
            heard.add("lost");
        }
    }
}
