package dev.muster.engine.pytorch;

import dev.muster.spi.JobSpec;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Note;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The real torchrun, told all that it would else ask for. Its options are spelled as PyTorch 1 and 2 both know them. */
final class PerTorchrun {

    private PerTorchrun() {}

    static LaunchPlan plan(NodeAssignment node, Torchrun torchrun) {
        List<Note> notes = new ArrayList<>();
        int cards = node.cards().count();
        notes.add(Note.info("torchrun with " + Messages.count(cards, "rank") + " ("
                + node.cards().origin() + ")"));
        Map<String, Value> set = torchrun.defaults(cards, notes);
        ProcessSpec task = node.task(
                "torchrun",
                command(node, torchrun),
                set,
                "torchrun-node-" + node.position().index(),
                Optional.empty());
        return node.plan(List.of(task), notes);
    }

    private static List<Value> command(NodeAssignment node, Torchrun torchrun) {
        List<Value> command = new ArrayList<>(Launch.literally(torchrun.command()));
        add(command, "--nnodes", Value.of(node.position().count()));
        add(command, "--node_rank", Value.of(node.position().index()));
        add(command, "--nproc_per_node", Value.of(node.cards().count()));
        add(command, "--master_addr", Value.of(node.address()));
        add(command, "--master_port", node.port());
        // Whoever starts ranks again does so on all nodes, which one torchrun cannot.
        add(command, "--max_restarts", Value.of(0));
        // It shall end as soon as its ranks have. Before PyTorch 2.4 it looks every 5 s.
        add(command, "--monitor_interval", Value.of("0.1"));
        List<String> rank = new ArrayList<>(told(node.job()));
        rank.addAll(node.job().command());
        command.addAll(Torchrun.rank(rank));
        return command;
    }

    /** torchrun tells its ranks of its own restarts, whatever stands in its environment. */
    private static List<String> told(JobSpec job) {
        List<String> words = new ArrayList<>();
        new TreeMap<>(Variables.toldRestarts(job))
                .forEach((name, value) -> words.add(name + "=" + value.known().orElseThrow()));
        if (!words.isEmpty()) {
            words.add(0, "env");
        }
        return words;
    }

    private static void add(List<Value> command, String option, Value value) {
        command.add(Value.of(option));
        command.add(value);
    }
}
