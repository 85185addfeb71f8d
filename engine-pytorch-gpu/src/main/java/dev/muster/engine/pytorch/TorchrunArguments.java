package dev.muster.engine.pytorch;

import dev.muster.spi.EngineOption;
import dev.muster.spi.JobSpec;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Words of the user for torchrun. What Muster decides itself is refused, with what to give instead. */
final class TorchrunArguments {

    static final EngineOption OPTION = EngineOption.of(
            "torchrun-args", EngineOption.Kind.TEXT, "more options of torchrun, such as '--tee 3 --log_dir /logs'");

    private static final String NODES = "--nodes and --hosts";
    private static final String PORT = "--hosts, --master-addr or --master-port";
    private static final String COMMAND = "the command after --";

    /** By their names without dashes. */
    private static final Map<String, String> OWNED = Map.ofEntries(
            Map.entry("nnodes", NODES),
            Map.entry("node_rank", "--node-index"),
            Map.entry("nproc_per_node", "--cards N"),
            Map.entry("master_addr", PORT),
            Map.entry("master_port", PORT),
            Map.entry("local_addr", PORT),
            Map.entry("rdzv_backend", PORT),
            Map.entry("rdzv_endpoint", PORT),
            Map.entry("rdzv_id", "--job-id ID"),
            Map.entry("standalone", NODES),
            Map.entry("max_restarts", "--restarts N"),
            Map.entry("no_python", COMMAND),
            Map.entry("run_path", COMMAND),
            Map.entry("module", COMMAND),
            Map.entry("m", COMMAND));

    private TorchrunArguments() {}

    /** The words that torchrun gets. */
    static List<String> of(JobSpec job) throws PlanException {
        Optional<OptionValue> given = job.option(OPTION.name());
        List<String> words = given.map(OptionValue::words).orElse(List.of());
        if (words.isEmpty()) {
            return words;
        }
        if (!words.get(0).startsWith("-")) {
            throw refusal(given.get(), "are no options of torchrun. Give options only; the command follows --");
        }
        for (String word : words) {
            Optional<String> owned = owned(word);
            if (owned.isPresent()) {
                String what = Messages.quote(word) + ", which Muster decides. Give " + OWNED.get(owned.get());
                throw refusal(given.get(), "has " + what + " instead");
            }
        }
        return words;
    }

    /** Refuses them where no torchrun would get them. */
    static void refuse(JobSpec job) throws PlanException {
        if (job.option(OPTION.name()).isPresent()) {
            throw refusal(
                    job.option(OPTION.name()).get(),
                    "are for torchrun only. Give -o processes=torchrun, or leave them out");
        }
    }

    /** Whether they say where ranks print. */
    static boolean redirect(List<String> words) {
        return words.stream().anyMatch(word -> word.matches("-[rt].*|--(red|tee?).*"));
    }

    private static PlanException refusal(OptionValue given, String why) {
        return new PlanException(PlanException.Kind.USAGE, Messages.given(given) + " " + why);
    }

    /** torchrun takes dashes for underscores, and the beginning of a long name for the whole. */
    private static Optional<String> owned(String word) {
        String name = word.replaceFirst("^--?", "").split("=", 2)[0].replace('-', '_');
        boolean isLong = word.startsWith("--") && !name.isEmpty();
        return OWNED.keySet().stream()
                .filter(own -> word.startsWith("-") && (own.equals(name) || (isLong && own.startsWith(name))))
                .findFirst();
    }
}
