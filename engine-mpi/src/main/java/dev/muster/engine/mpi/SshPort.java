package dev.muster.engine.mpi;

import dev.muster.spi.JobSpec;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import java.util.Optional;

/**
 * The port on which the sshd of every node listens.
 *
 * @param number 1..65535
 * @param origin who said so
 */
record SshPort(int number, String origin) {

    /** ModelArts' own name for it. */
    static final String VARIABLE = "MY_SSHD_PORT";

    /** The port of ModelArts' contract. */
    static final int DEFAULT = 36666;

    private static final int MOST = 65535;

    /** The port of hosts that serve ssh without us, where somebody says it. */
    static Optional<Integer> given(JobSpec job) throws PlanException {
        Optional<OptionValue> said = Options.value(job, Options.SSHD_PORT, VARIABLE);
        return said.isPresent() ? Optional.of(Options.number(said.get(), 1, MOST, "a port")) : Optional.empty();
    }

    static SshPort of(JobSpec job) throws PlanException {
        Optional<OptionValue> said = Options.value(job, Options.SSHD_PORT, VARIABLE);
        return said.isPresent()
                ? new SshPort(
                        Options.number(said.get(), 1, MOST, "a port"),
                        said.get().origin())
                : new SshPort(DEFAULT, "default");
    }
}
