package dev.muster.engine.mpi;

import dev.muster.spi.JobSpec;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The network interfaces that a job may use, as somebody listed them. NCCL takes those of the list that a host has; MPI ends
 * with a crash at a name that a host does not have.
 *
 * @param list names with commas between them
 * @param isChosen whether somebody has listed them
 */
record Interfaces(String list, boolean isChosen) {

    /** ModelArts' own name for it. */
    static final String VARIABLE = "MY_MPI_BTL_TCP_IF";

    /** The list of ModelArts' contract. */
    static final String DEFAULT = "eth0,bond0";

    private static final Pattern FORM = Pattern.compile("[\\^=]?[A-Za-z0-9._:@-]{1,40}(,[A-Za-z0-9._:@-]{1,40}+)*+");

    static Interfaces of(JobSpec job) throws PlanException {
        Optional<OptionValue> said = Options.value(job, Options.INTERFACE, VARIABLE);
        if (said.isEmpty()) {
            return new Interfaces(DEFAULT, false);
        }
        String list = said.get().value();
        if (!FORM.matcher(list).matches()) {
            throw PlanException.ofValue(
                    said.get(),
                    Messages.given(said.get()) + " is no list of network interfaces: give names with commas between"
                            + " them, such as " + DEFAULT);
        }
        return new Interfaces(list, true);
    }
}
