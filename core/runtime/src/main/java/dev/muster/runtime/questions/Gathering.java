package dev.muster.runtime.questions;

import dev.muster.runtime.json.Json;
import dev.muster.spi.LauncherNodes;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Collects the answers of the other nodes to one question. */
final class Gathering {

    /** The most characters of all pieces of a node's answer. */
    private static final int LONGEST = 3 * NodeAnswers.LONGEST;

    private final Map<String, LauncherNodes.Peer> missing = new LinkedHashMap<>();
    private final Map<String, StringBuilder> pieces = new HashMap<>();
    private final Consumer<String> lines;
    private final CountDownLatch open;

    /**
     * @param others the asked nodes
     * @param lines gets the line of each
     */
    Gathering(List<LauncherNodes.Peer> others, Consumer<String> lines) {
        this.lines = lines;
        others.forEach(other -> missing.put(other.name(), other));
        open = new CountDownLatch(missing.size());
    }

    synchronized void addPiece(String node, String piece, boolean isLast) {
        StringBuilder text = pieces.computeIfAbsent(node, any -> new StringBuilder());
        if (text.length() + piece.length() > LONGEST) {
            addFailure(node, "its answer is too long");
            return;
        }
        text.append(piece);
        if (isLast && missing.containsKey(node)) {
            try {
                lines.accept(PackedAnswer.line(text.toString()));
                remove(node);
            } catch (IllegalArgumentException torn) {
                addFailure(node, String.valueOf(torn.getMessage()));
            }
        }
    }

    /** The node does not answer. */
    synchronized void addFailure(String node, String why) {
        LauncherNodes.Peer peer = missing.get(node);
        if (peer == null) {
            return;
        }
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("node", node);
        peer.host().ifPresent(host -> answer.put("host", host.name()));
        answer.put("error", why);
        lines.accept(Json.line(answer));
        remove(node);
    }

    private void remove(String node) {
        missing.remove(node);
        open.countDown();
    }

    /** Waits until all have answered. After the limit, the missing nodes get the error {@code late}. */
    void await(long nanos, String late) throws InterruptedException {
        if (!open.await(nanos, TimeUnit.NANOSECONDS)) {
            giveUp(late);
        }
    }

    /** No more answers can come. */
    synchronized void giveUp(String why) {
        List.copyOf(missing.keySet()).forEach(node -> addFailure(node, why));
    }
}
