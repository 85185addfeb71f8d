package dev.muster.engine.pytorch;

import dev.muster.spi.EngineOption;
import dev.muster.spi.JobSpec;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.PlanException;
import dev.muster.spi.ProcessSpec;
import dev.muster.spi.RankInfo;
import dev.muster.spi.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The command once: a script that starts a process for each card itself, with {@code mp.spawn}. Ranks are nodes here. It gets the arguments of ModelArts' contract. */
final class PerNode {

    static final EngineOption INJECT = EngineOption.of(
                    "inject",
                    EngineOption.Kind.SWITCH,
                    "append --init_method, and with several nodes --rank and --world_size, to the command (per-node)")
            .withDefault("true");

    private PerNode() {}

    static LaunchPlan plan(NodeAssignment node) throws PlanException {
        int index = node.position().index();
        ProcessSpec task = node.task(
                "rank-" + index,
                appended(node),
                Variables.toldRestarts(node.job()),
                "proc-rank-" + index,
                Optional.of(new RankInfo(index, 0, node.position().count())));
        return node.plan(List.of(task), List.of());
    }

    /** The command with the arguments after its own. */
    private static List<Value> appended(NodeAssignment node) throws PlanException {
        List<Value> command = new ArrayList<>();
        node.job().command().forEach(word -> command.add(Value.of(word)));
        if (node.job().option(INJECT.name()).map(option -> option.isOn()).orElse(true)) {
            Map<String, Value> arguments = arguments(node);
            refuseTwice(node.job(), arguments);
            arguments.forEach((name, value) -> {
                command.add(Value.of(name));
                command.add(value);
            });
        }
        return command;
    }

    private static Map<String, Value> arguments(NodeAssignment node) {
        Map<String, Value> arguments = new LinkedHashMap<>();
        arguments.put("--init_method", node.url());
        if (!node.position().isAlone()) {
            arguments.put("--rank", Value.of(node.position().index()));
            arguments.put("--world_size", Value.of(node.position().count()));
        }
        return arguments;
    }

    /** Of two arguments of the same name the script would silently take one. */
    private static void refuseTwice(JobSpec job, Map<String, Value> arguments) throws PlanException {
        for (String word : job.command()) {
            int end = word.indexOf('=');
            String name = end < 0 ? word : word.substring(0, end);
            if (arguments.containsKey(name)) {
                throw Messages.usage(
                        "the command has " + Messages.quote(word) + ", but " + name
                                + " is appended to it, as the platform's contract says",
                        "Take it out, or give -o inject=false and nothing is appended");
            }
        }
    }
}
