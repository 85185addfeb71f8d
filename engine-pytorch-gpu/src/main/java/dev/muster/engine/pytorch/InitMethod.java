package dev.muster.engine.pytorch;

import dev.muster.spi.EngineOption;
import dev.muster.spi.JobSpec;
import dev.muster.spi.PlanException;
import dev.muster.spi.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The arguments that ModelArts' PyTorch contract gives to the training command. */
final class InitMethod {

    static final EngineOption INJECT = EngineOption.of(
                    "inject",
                    EngineOption.Kind.SWITCH,
                    "append --init_method, and with several nodes --rank and --world_size, to the command (per-node)")
            .withDefault("true");

    private InitMethod() {}

    /** The command with the arguments after its own. */
    static List<Value> appended(NodeShare share) throws PlanException {
        List<Value> command = new ArrayList<>();
        share.job().command().forEach(word -> command.add(Value.of(word)));
        if (share.job().option(INJECT.name()).map(option -> option.isOn()).orElse(true)) {
            Map<String, Value> arguments = arguments(share);
            refuseTwice(share.job(), arguments);
            arguments.forEach((name, value) -> {
                command.add(Value.of(name));
                command.add(value);
            });
        }
        return command;
    }

    private static Map<String, Value> arguments(NodeShare share) {
        Map<String, Value> arguments = new LinkedHashMap<>();
        arguments.put("--init_method", share.url());
        if (!share.position().isAlone()) {
            arguments.put("--rank", Value.of(share.position().index()));
            arguments.put("--world_size", Value.of(share.position().count()));
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
