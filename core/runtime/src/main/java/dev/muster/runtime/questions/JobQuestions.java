package dev.muster.runtime.questions;

import dev.muster.runtime.json.Json;
import dev.muster.runtime.json.JsonReading;
import dev.muster.runtime.link.Link;
import dev.muster.runtime.link.LinkEvent;
import dev.muster.runtime.link.LocalEvent;
import dev.muster.runtime.text.Durations;
import dev.muster.runtime.threads.Daemon;
import dev.muster.spi.LauncherNodes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Asks all launchers of the job, and answers them. Each question has its own thread, so that the link and the event loop never wait. */
public final class JobQuestions {

    /** The most questions at once, of this node and of others. */
    private static final int MOST = 32;

    /** The most characters of JSON in a question: they must fit into a text of the link. */
    public static final int LONGEST_QUESTION = 2000;

    private static final long LONGEST_PATIENCE = TimeUnit.MINUTES.toMillis(5);

    /** The number of pieces that are sent at once, and the pause after them. With 2,000 characters each: a frame of 64 KiB, 1 MiB/s. */
    private static final int FRAME = 32;

    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(62);
    private static final int PARTS = 3;

    private final Link link;
    private final NodeAnswers node;
    private final LongSupplier nanoClock;
    private final AtomicLong ids = new AtomicLong();
    private final AtomicInteger running = new AtomicInteger();
    private final Map<String, Gathering> gatherings = new ConcurrentHashMap<>();
    private volatile Optional<RunningAttempt> attempt = Optional.empty();

    /** @param link of the job, open or not */
    public JobQuestions(Link link, NodeAnswers node, LongSupplier nanoClock) {
        this.link = link;
        this.node = node;
        this.nanoClock = nanoClock;
    }

    /** Sets the running attempt; empty: none runs. Each attempt has its own link, so no answers to earlier questions come. */
    public void setAttempt(Optional<RunningAttempt> next) {
        attempt = next;
        if (next.isPresent()) {
            gatherings.values().forEach(one -> one.giveUp("an attempt has begun meanwhile. Ask again"));
        }
    }

    /** The job hangs, according to the answers. It ends, and may start again. */
    public void reportHang(String reason, boolean isToRestart) {
        attempt.ifPresent(one -> one.reportHang(reason, isToRestart));
    }

    /**
     * Takes a request of the control socket: {@code KIND MILLIS JSON}. Returns at once.
     *
     * @param lines gets the answers, on another thread
     * @param end called after the last
     */
    public void handleRequest(String request, Consumer<String> lines, Runnable end) {
        inBackground(() -> {
            answer(request, lines);
            end.run();
        });
    }

    private void answer(String request, Consumer<String> lines) throws InterruptedException {
        String[] parts = request.split(" ", PARTS);
        boolean isWhole =
                parts.length == PARTS && parts[1].matches("[0-9]{1,9}") && parts[2].length() <= LONGEST_QUESTION;
        if (!isWhole || !(Json.read(parts[2]) instanceof JsonReading.Complete question)) {
            lines.accept("unknown");
            return;
        }
        Duration patience = Duration.ofMillis(Math.min(LONGEST_PATIENCE, Long.parseLong(parts[1])));
        ask(parts[0], question.content(), patience, lines);
    }

    /**
     * Asks all nodes of the job, and waits for their answers.
     *
     * @return a line of JSON for each node
     */
    public List<String> askJob(String kind, Map<String, Object> question, Duration patience)
            throws InterruptedException {
        List<String> lines = Collections.synchronizedList(new ArrayList<>());
        ask(kind, question, patience, lines::add);
        return lines;
    }

    private void ask(String kind, Map<String, Object> question, Duration patience, Consumer<String> lines)
            throws InterruptedException {
        String text = Json.line(question);
        String id = Long.toString(ids.incrementAndGet());
        long deadline = nanoClock.getAsLong() + patience.toNanos();
        Gathering gathering = new Gathering(others(), lines);
        gatherings.put(id, gathering);
        try {
            if (link.isUsed()) {
                link.send(new LocalEvent.Asked(id, kind, text));
            }
            lines.accept(node.answer(kind, question, attempt, false));
            gathering.await(deadline - nanoClock.getAsLong(), "no answer within " + Durations.format(patience));
        } finally {
            gatherings.remove(id);
        }
    }

    private List<LauncherNodes.Peer> others() {
        return link.launchers().stream()
                .flatMap(launchers ->
                        launchers.all().stream().filter(peer -> !peer.name().equals(launchers.own())))
                .toList();
    }

    /** Takes an event of the link that concerns questions. Returns at once. */
    public void handle(LinkEvent event) {
        if (event instanceof LinkEvent.Question question) {
            inBackground(() -> answer(question));
        } else if (event instanceof LinkEvent.Answer answer) {
            gathering(answer.id()).ifPresent(one -> one.addPiece(answer.node(), answer.piece(), answer.isLast()));
        } else if (event instanceof LinkEvent.NoAnswer none) {
            gathering(none.id()).ifPresent(one -> one.addFailure(none.node(), none.why()));
        }
    }

    private Optional<Gathering> gathering(String id) {
        return Optional.ofNullable(gatherings.get(id));
    }

    private void answer(LinkEvent.Question question) throws InterruptedException {
        if (!(Json.read(question.question()) instanceof JsonReading.Complete content)) {
            return;
        }
        List<String> pieces = PackedAnswer.pieces(node.answer(question.kind(), content.content(), attempt, true));
        for (int at = 0; at < pieces.size(); at++) {
            boolean isLast = at == pieces.size() - 1;
            link.send(new LocalEvent.Answered(question.asker(), question.id(), pieces.get(at), isLast));
            if (!isLast && (at + 1) % FRAME == 0) {
                LockSupport.parkNanos(PAUSE);
            }
        }
    }

    /** Runs the work in a thread. If too many questions run, there is no answer, and the asking node runs into its time limit. */
    private void inBackground(Work work) {
        if (running.incrementAndGet() > MOST) {
            running.decrementAndGet();
            return;
        }
        Daemon.start("question", () -> {
            try {
                work.run();
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            } finally {
                running.decrementAndGet();
            }
        });
    }

    private interface Work {

        void run() throws InterruptedException;
    }
}
