package dev.muster.engine.pytorch;

import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Note;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.RankInfo;
import dev.muster.spi.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The command once for each card, with the variables that torchrun gives to its children. All nodes have as many cards. */
final class PerCard {

    private final NodeAssignment node;
    private final int cards;
    private final int worldSize;

    private PerCard(NodeAssignment node) {
        this.node = node;
        this.cards = node.cards().count();
        this.worldSize = node.position().count() * cards;
    }

    static LaunchPlan plan(NodeAssignment node) {
        return new PerCard(node).plan();
    }

    private LaunchPlan plan() {
        List<Value> command = Launch.literally(node.job().command());
        List<ProcessSpec> tasks = new ArrayList<>(cards);
        for (int card = 0; card < cards; card++) {
            int rank = node.position().index() * cards + card;
            tasks.add(node.task(
                    "rank-" + rank,
                    command,
                    variables(rank, card),
                    "proc-rank-" + rank + "-device-" + card,
                    Optional.of(new RankInfo(rank, card, worldSize))));
        }
        Note note = Note.info("one rank per card: " + Messages.count(cards, "rank") + " on this node ("
                + node.cards().origin() + ")");
        return node.plan(tasks, List.of(note));
    }

    /**
     * Without TORCHELASTIC_USE_AGENT_STORE: with it rank 0 opens no rendezvous but waits for that of a torchrun. The other
     * three are what scripts ask for to find out whether and how torchrun has started them.
     */
    private Map<String, Value> variables(int rank, int card) {
        Map<String, Value> set = new TreeMap<>(Variables.ncclErrors(node.job()));
        set.put(Variables.MASTER_ADDR, Value.of(node.address()));
        set.put(Variables.MASTER_PORT, node.port());
        set.put(Variables.RANK, Value.of(rank));
        set.put(Variables.WORLD_SIZE, Value.of(worldSize));
        set.put(Variables.LOCAL_RANK, Value.of(card));
        set.put(Variables.LOCAL_WORLD_SIZE, Value.of(cards));
        set.put(Variables.GROUP_RANK, Value.of(node.position().index()));
        set.put(Variables.GROUP_WORLD_SIZE, Value.of(node.position().count()));
        set.put(Variables.ROLE_NAME, Value.of("default"));
        set.put(Variables.ROLE_RANK, Value.of(rank));
        set.put(Variables.ROLE_WORLD_SIZE, Value.of(worldSize));
        set.putAll(Variables.restarts(node.job()));
        set.put("TORCHELASTIC_RUN_ID", Value.of(node.job().id()));
        return set;
    }
}
