package dev.muster.e2e;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The training programs of the examples, as commands. Each uses the Python that has its framework. */
final class Training {

    /** Longer than any training takes on a busy machine. */
    static final Duration LONG = Duration.ofMinutes(3);

    private static final Path EXAMPLES = Product.project().resolve("examples/training");

    private Training() {}

    /** PyTorch's training. It starts two processes on each node, unless the launcher starts it once per card. */
    static String[] torch(String... arguments) {
        return command(Components.requireTorch(), "ddp_linear_regression.py", "--nprocs", "2", arguments);
    }

    /** TensorFlow's training in the style of version 1, with ps and workers. */
    static String[] psAndWorkers(String... arguments) {
        return command(Components.requireTensorFlow(), "tf_ps_worker.py", "--samples", "100", arguments);
    }

    /** TensorFlow's training in the style of version 2. */
    static String[] strategy(String strategy, String... arguments) {
        return command(Components.requireTensorFlow(), "tf_strategy.py", "--strategy", strategy, arguments);
    }

    /** TensorFlow's training with checkpoints, with ps and workers. */
    static String[] monitored(String... arguments) {
        return command(Components.requireTensorFlow(), "tf_monitored.py", "--checkpoint-every", "20", arguments);
    }

    /** MPI's training with checkpoints. */
    static String[] mpi(String... arguments) {
        return command(Components.requireMpi(), "mpi_linear_regression.py", "--samples", "50", arguments);
    }

    private static String[] command(String python, String script, String option, String value, String... arguments) {
        List<String> words =
                new ArrayList<>(List.of(python, EXAMPLES.resolve(script).toString(), option, value));
        words.addAll(List.of(arguments));
        return words.toArray(String[]::new);
    }
}
