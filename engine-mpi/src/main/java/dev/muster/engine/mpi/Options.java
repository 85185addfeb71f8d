package dev.muster.engine.mpi;

import dev.muster.spi.EngineOption;
import dev.muster.spi.JobSpec;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The options of the engine: their names, their help, and what a job says about them. */
final class Options {

    static final String SLOTS = "slots";
    static final String SSHD_PORT = "sshd-port";
    static final String INTERFACE = "interface";
    static final String SSHD = "sshd";
    static final String LAUNCHERS = "launchers";
    static final String SSHD_CONFIG = "sshd-config";
    static final String SSH_KEY = "ssh-key";
    static final String SHARED_DIRECTORY = "shared-directory";
    static final String HOSTFILE = "hostfile";
    static final String LAUNCHER = "launcher";

    static final String LAUNCHERS_ONE = "one";
    static final String LAUNCHERS_ALL = "all";

    private static final Pattern DIGITS = Pattern.compile("[0-9]{1,9}");

    private Options() {}

    /** All options, in the order of the help. */
    static List<EngineOption> all() {
        return List.of(
                count(SLOTS, "ranks per node (MY_MPI_SLOTS, --cards, the platform's cards; else 1)"),
                text(INTERFACE, "network interfaces for NCCL and MPI (MY_MPI_BTL_TCP_IF; else eth0,bond0)"),
                EngineOption.choice(
                        LAUNCHER, "what starts the ranks", Launcher.MPIRUN.word(), Launcher.HOROVODRUN.word()),
                path(HOSTFILE, "a hostfile to use instead of writing one"),
                EngineOption.choice(
                        SSHD,
                        "who serves ssh on the nodes: Muster, with a configuration and keys of this job; the sshd of"
                                + " the image with its own; or nobody's business of ours, with a given hostfile only",
                        Sshd.OWN.word(),
                        Sshd.IMAGE.word(),
                        Sshd.NONE.word()),
                EngineOption.choice(
                        LAUNCHERS,
                        "with sshd=none: whether Muster runs on one node of the job, or on all; then node 0 starts the"
                                + " ranks, and the others wait for its end",
                        LAUNCHERS_ONE,
                        LAUNCHERS_ALL),
                count(SSHD_PORT, "the port of sshd on all nodes (MY_SSHD_PORT; else 36666)"),
                path(
                        SSHD_CONFIG,
                        "with sshd=image: the configuration of the image's sshd (else ~/etc/ssh/sshd_config)"),
                path(SSH_KEY, "the private key that all nodes of the job have, without a passphrase (else of ~/.ssh)"),
                path(SHARED_DIRECTORY, "a directory that all nodes share, for a key that the job makes for itself"));
    }

    /** The value of an option, else that of the platform's own variable for it. */
    static Optional<OptionValue> value(JobSpec job, String option, String variable) {
        return job.option(option).or(() -> job.variable(variable));
    }

    /**
     * The number that a value says.
     *
     * @param meaning what it should be, for example {@code a port}
     */
    static int number(OptionValue value, int least, int most, String meaning) throws PlanException {
        String text = value.value().strip();
        if (DIGITS.matcher(text).matches()) {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        }
        throw PlanException.ofValue(
                value, Messages.given(value) + " is not " + meaning + ": give a whole number " + least + ".." + most);
    }

    private static EngineOption text(String name, String description) {
        return EngineOption.of(name, EngineOption.Kind.TEXT, description);
    }

    private static EngineOption path(String name, String description) {
        return EngineOption.of(name, EngineOption.Kind.PATH, description);
    }

    private static EngineOption count(String name, String description) {
        return EngineOption.of(name, EngineOption.Kind.COUNT, description);
    }
}
