package dev.muster.engine.pytorch;

import dev.muster.spi.FileToWrite;
import dev.muster.spi.JobSpec;
import dev.muster.spi.Launch;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.Note;
import dev.muster.spi.PlanRequest;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.RankShell;
import dev.muster.spi.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The real torchrun, told all that it would else ask for. Its options are spelled as PyTorch 1 and 2 both know them. */
final class PerTorchrun {

    /** Under which every rank runs. */
    private static final FileToWrite SHELL = RankShell.script(new Value.Resource("torchrun.sh"));

    private PerTorchrun() {}

    static LaunchPlan plan(NodeShare share, Torchrun torchrun, PlanRequest request) {
        List<Note> notes = new ArrayList<>();
        int cards = share.cards().count();
        notes.add(Note.info("torchrun with " + Messages.count(cards, "rank") + " ("
                + share.cards().origin() + ")"));
        RankShell.warning(request, Messages::quote).ifPresent(notes::add);
        Map<String, Value> set = torchrun.defaults(cards, notes);
        ProcessSpec task = share.task(
                "torchrun",
                command(share, torchrun, RankShell.of(request)),
                set,
                "torchrun-node-" + share.position().index(),
                Optional.empty());
        return share.plan(List.of(task), notes).toBuilder().file(SHELL).build();
    }

    private static List<Value> command(NodeShare share, Torchrun torchrun, List<String> shell) {
        List<Value> command = new ArrayList<>(Launch.literally(torchrun.command()));
        add(command, "--nnodes", Value.of(share.position().count()));
        add(command, "--node_rank", Value.of(share.position().index()));
        add(command, "--nproc_per_node", Value.of(share.cards().count()));
        add(command, "--master_addr", Value.of(share.address()));
        add(command, "--master_port", share.port());
        // Whoever starts ranks again does so on all nodes, which one torchrun cannot.
        add(command, "--max_restarts", Value.of(0));
        // It hears of its ranks when all have ended, and shall end then, too. Before PyTorch 2.4 it looks every 5 s.
        add(command, "--monitor_interval", Value.of("0.1"));
        // Else it would put its own interpreter in front of the user's.
        command.add(Value.of("--no_python"));
        command.addAll(Launch.literally(shell));
        command.add(SHELL.path());
        command.addAll(told(share.job()));
        command.addAll(Launch.literally(share.job().command()));
        return command;
    }

    /** torchrun tells its ranks of its own restarts, whatever stands in its environment. */
    private static List<Value> told(JobSpec job) {
        List<Value> words = new ArrayList<>();
        new TreeMap<>(Variables.toldRestarts(job))
                .forEach((name, value) ->
                        words.add(Value.of(name + "=" + value.known().orElseThrow())));
        if (!words.isEmpty()) {
            words.add(0, Value.of("env"));
        }
        return words;
    }

    private static void add(List<Value> command, String option, Value value) {
        command.add(Value.of(option));
        command.add(value);
    }
}
