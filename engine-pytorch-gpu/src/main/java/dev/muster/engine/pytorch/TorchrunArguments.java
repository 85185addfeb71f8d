package dev.muster.engine.pytorch;

import dev.muster.spi.EngineOption;
import dev.muster.spi.JobSpec;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The user's arguments for torchrun. Arguments that Muster sets itself are refused, with the option to use. */
final class TorchrunArguments {

    static final EngineOption OPTION = EngineOption.of(
            "torchrun-args", EngineOption.Kind.TEXT, "more options of torchrun, such as '--tee 3 --log_dir /logs'");

    /** What to use instead of torchrun's options, by their names without dashes. */
    private static final Map<String, String> OWNED = Map.of(
            "nnodes standalone", "--nodes and --hosts",
            "node_rank", "--node-index",
            "nproc_per_node", "--cards N",
            "master_addr master_port local_addr rdzv_backend rdzv_endpoint", "--hosts, --master-addr or --master-port",
            "rdzv_id", "--job-id ID",
            "max_restarts", "--restarts N",
            "no_python run_path module m", "the command after --");

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
            Optional<String> instead = instead(word);
            if (instead.isPresent()) {
                String what = Messages.quote(word) + ", which Muster decides. Give " + instead.get();
                throw refusal(given.get(), "has " + what + " instead");
            }
        }
        return words;
    }

    /** Refuses them in a mode without torchrun. */
    static void refuse(JobSpec job) throws PlanException {
        if (job.option(OPTION.name()).isPresent()) {
            throw refusal(
                    job.option(OPTION.name()).get(),
                    "are for torchrun only. Give -o processes=torchrun, or leave them out");
        }
    }

    /** Whether they tell where ranks print. */
    static boolean redirect(List<String> words) {
        return words.stream().anyMatch(word -> word.matches("-[rt].*|--(red|tee?).*"));
    }

    private static PlanException refusal(OptionValue given, String why) {
        return PlanException.ofValue(given, Messages.given(given) + " " + why);
    }

    /** What to use instead of an argument. torchrun accepts dashes for underscores, and the beginning of a long name. */
    private static Optional<String> instead(String word) {
        String name = word.replaceFirst("^--?", "").split("=", 2)[0].replace('-', '_');
        String more = word.startsWith("--") && !name.isEmpty() ? "[a-z_]*" : "";
        Pattern owned = Pattern.compile("(^| )" + Pattern.quote(name) + more + "( |$)");
        return OWNED.keySet().stream()
                .filter(names -> word.startsWith("-") && owned.matcher(names).find())
                .map(OWNED::get)
                .findFirst();
    }
}
