package dev.muster.engine.pytorch;

import dev.muster.spi.JobSpec;
import dev.muster.spi.Node;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Which of the job's nodes this is. Where nobody tells how many there are, it is the only one.
 *
 * @param index 0..count-1; node 0 is where the job's processes meet
 */
record Position(int index, int count) {

    private static final String ELASTIC_NODES = "PET_NNODES";
    private static final Pattern RANGE = Pattern.compile("\\s*[0-9]+\\s*:\\s*[0-9]+\\s*");

    static Position of(JobSpec job, Node node) throws PlanException {
        int count = node.count().orElse(1);
        if (node.index().isEmpty()) {
            refuseElastic(job);
            if (count > 1) {
                throw Messages.configuration(
                        "the job has " + count + " nodes, and nobody says which of them this is",
                        "Give --node-index I, from 0 to " + (count - 1) + ", another one on each node");
            }
        }
        return count == 1 ? new Position(0, 1) : new Position(node.index().orElseThrow(), count);
    }

    boolean isFirst() {
        return index == 0;
    }

    boolean isAlone() {
        return count == 1;
    }

    /** Kubeflow's PyTorchJob writes a range when torchrun shall find out at run time how many nodes there are. */
    private static void refuseElastic(JobSpec job) throws PlanException {
        Optional<OptionValue> nodes = job.variable(ELASTIC_NODES);
        if (nodes.isPresent() && RANGE.matcher(nodes.get().value()).matches()) {
            throw Messages.configuration(
                    Messages.given(nodes.get()) + " is a range: an elastic PyTorchJob tells no node its index",
                    "Give --nodes N and --node-index I, or start torchrun itself instead of Muster");
        }
    }
}
