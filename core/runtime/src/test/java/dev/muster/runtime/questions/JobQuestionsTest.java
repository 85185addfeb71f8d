package dev.muster.runtime.questions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.runtime.json.Json;
import dev.muster.runtime.link.Link;
import dev.muster.runtime.link.LinkEvent;
import dev.muster.runtime.link.LocalEvent;
import dev.muster.spi.LauncherNodes;
import dev.muster.spi.LauncherNodes.Peer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JobQuestionsTest {

    private static final Duration LONG = Duration.ofSeconds(20);

    private final BlockingQueue<LocalEvent> said = new LinkedBlockingQueue<>();
    private final Link link = new Link() {
        @Override
        public void send(LocalEvent event) {
            said.add(event);
        }

        @Override
        public boolean isUsed() {
            return true;
        }

        @Override
        public Optional<LauncherNodes> launchers() {
            return Optional.of(LauncherNodes.of(
                    "node-0",
                    "node-0",
                    List.of(
                            new Peer("node-0", Optional.empty()),
                            new Peer("node-1", Optional.empty()),
                            new Peer("node-2", Optional.empty()))));
        }
    };

    private JobQuestions questions(Map<String, @Nullable Object> answer, UnaryOperator<String> mask) {
        NodeAnswers node = new NodeAnswers(
                () -> "node-0", () -> "gpu0", () -> Map.of("echo", (question, attempt) -> answer), mask, true);
        return new JobQuestions(link, node, System::nanoTime);
    }

    @Test
    void everyNodeIsNamedWhetherItAnswersOrNot() throws InterruptedException {
        JobQuestions questions = questions(Map.of("a", "1"), text -> text);
        BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        BlockingQueue<Boolean> end = new LinkedBlockingQueue<>();
        questions.handleRequest("echo 20000 {}", lines::add, () -> end.add(true));
        LocalEvent.Asked asked = (LocalEvent.Asked) said.take();
        List<String> pieces = PackedAnswer.pieces("{\"node\":\"node-1\",\"content\":{}}");
        for (int at = 0; at < pieces.size(); at++) {
            questions.handle(new LinkEvent.Answer("node-1", asked.id(), pieces.get(at), at == pieces.size() - 1));
        }
        questions.handle(new LinkEvent.NoAnswer("node-2", asked.id(), "its launcher has ended"));
        assertThat(end.poll(LONG.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
        List<NodeAnswer> answers = NodeAnswer.of(List.copyOf(lines));
        assertThat(answers).extracting(NodeAnswer::node).containsExactlyInAnyOrder("node-0", "node-1", "node-2");
        assertThat(answers)
                .filteredOn(answer -> answer.node().equals("node-2"))
                .extracting(NodeAnswer::error)
                .containsExactly(Optional.of("its launcher has ended"));
    }

    @Test
    void whoDoesNotAnswerInTimeIsNamed() throws InterruptedException {
        JobQuestions questions = questions(Map.of(), text -> text);
        List<NodeAnswer> answers = NodeAnswer.of(questions.askJob("echo", Map.of(), Duration.ofMillis(1)));
        assertThat(answers)
                .hasSize(3)
                .filteredOn(answer -> answer.error().isPresent())
                .hasSize(2);
    }

    @Test
    void anAnswerToAnotherNodeIsMaskedCutAndPacked() throws InterruptedException {
        List<String> many = java.util.Collections.nCopies(100_000, "secret line \u001b[31m");
        JobQuestions questions = questions(Map.of("lines", many), text -> text.replace("secret", "******"));
        questions.handle(new LinkEvent.Question("node-1", "7", "echo", "{}"));
        StringBuilder packed = new StringBuilder();
        boolean isLast = false;
        while (!isLast) {
            LocalEvent.Answered piece = (LocalEvent.Answered) said.take();
            assertThat(piece.asker()).isEqualTo("node-1");
            assertThat(piece.piece().length()).isLessThanOrEqualTo(2000);
            packed.append(piece.piece());
            isLast = piece.isLast();
        }
        String line = PackedAnswer.line(packed.toString());
        assertThat(line.length()).isLessThan(2 * NodeAnswers.LONGEST);
        NodeAnswer answer = NodeAnswer.of(List.of(line)).get(0);
        assertThat(answer.content()).containsKey("cut");
        assertThat(Json.line(answer.content())).doesNotContain("secret").contains("****** line");
    }

    @Test
    void anUnknownKindIsRefusedByName() throws InterruptedException {
        JobQuestions questions = questions(Map.of(), text -> text);
        BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        BlockingQueue<Boolean> end = new LinkedBlockingQueue<>();
        questions.handleRequest("other 100 {}", lines::add, () -> end.add(true));
        questions.handleRequest("nonsense", lines::add, () -> end.add(true));
        end.take();
        end.take();
        assertThat(lines).hasSize(4).contains("unknown").anyMatch(line -> line.contains("no answer to other"));
    }
}
