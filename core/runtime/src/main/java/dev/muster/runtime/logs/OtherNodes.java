package dev.muster.runtime.logs;

import dev.muster.runtime.control.JobAsker;
import dev.muster.runtime.output.Console;
import dev.muster.runtime.questions.NodeAnswer;
import dev.muster.runtime.text.Ranges;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.BitSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** Prints what ranks of other nodes have printed last, as their launchers tell over the link. */
record OtherNodes(JobAsker asker, LogPrinter printer) {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /**
     * Prints it.
     *
     * @param wanted these ranks; empty: all
     * @param here those whose logs are on this node
     */
    void print(BitSet wanted, BitSet here) throws IOException {
        NavigableMap<Integer, String> texts = new TreeMap<>();
        String ranks = String.join(",", Ranges.of(wanted));
        for (NodeAnswer answer : asker.job(LogsHandler.KIND, Map.of(LogsHandler.RANKS, ranks), PATIENCE)) {
            answer.problem().ifPresent(Console::sayAtOnce);
            for (Map<String, Object> rank : answer.objects(LogsHandler.RANKS)) {
                if (rank.get("rank") instanceof Number number && !here.get(number.intValue())) {
                    texts.put(number.intValue(), String.valueOf(rank.get("text")));
                }
            }
        }
        for (Map.Entry<Integer, String> text : texts.entrySet()) {
            for (String line : text.getValue().lines().toList()) {
                printer.print("rank " + text.getKey(), Optional.empty(), line.getBytes(StandardCharsets.UTF_8));
            }
        }
        tellOfMissing(wanted, texts);
    }

    private static void tellOfMissing(BitSet wanted, NavigableMap<Integer, String> texts) {
        BitSet missing = (BitSet) wanted.clone();
        texts.keySet().forEach(missing::clear);
        if (!missing.isEmpty()) {
            Console.sayAtOnce("no node tells of rank " + String.join(",", Ranges.of(missing)));
        }
        Console.sayAtOnce("of ranks on other nodes these are the last lines alone; their logs are there");
    }
}
