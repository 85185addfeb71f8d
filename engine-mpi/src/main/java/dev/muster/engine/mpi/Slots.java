package dev.muster.engine.mpi;

import dev.muster.spi.JobSpec;
import dev.muster.spi.Node;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import java.util.Optional;

/**
 * How many ranks run on each node.
 *
 * @param number from 1
 * @param origin who said so
 */
record Slots(int number, String origin) {

    private static final String OWN = "MY_MPI_SLOTS";
    private static final int MOST = 4096;

    /** Flavours without accelerators have 0 of them: one rank runs there all the same. */
    static Slots of(JobSpec job, Node node) throws PlanException {
        Optional<OptionValue> said = Options.value(job, Options.SLOTS, OWN);
        if (said.isPresent()) {
            return of(said.get());
        }
        if (!node.cards().ids().isEmpty()) {
            return new Slots(node.cards().ids().size(), node.cards().origin());
        }
        if (node.cards().count().isPresent()) {
            int count = node.cards().count().getAsInt();
            return new Slots(Math.max(1, count), node.cards().origin());
        }
        return new Slots(1, "default");
    }

    private static Slots of(OptionValue value) throws PlanException {
        return new Slots(Math.max(1, Options.number(value, 0, MOST, "a number of ranks")), value.origin());
    }
}
