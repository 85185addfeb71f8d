package dev.muster.engine.mpi;

import dev.muster.spi.EngineOption;
import dev.muster.spi.JobSpec;
import dev.muster.spi.Node;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The options of the engine: their names, their help, and their values in a job, also from ModelArts' own variables. */
final class Options {

    static final String SLOTS = "slots";
    static final String SSHD_PORT = "sshd-port";
    static final String SSHD = "sshd";
    static final String SSH_KEY = "ssh-key";
    static final String HOSTFILE = "hostfile";
    static final String LAUNCHER = "launcher";

    static final String MPIRUN = "mpirun";

    /** Horovod's front end. It runs mpirun, or calls ssh itself. */
    static final String HOROVODRUN = "horovodrun";

    static final String SLOTS_VARIABLE = "MY_MPI_SLOTS";
    static final String PORT_VARIABLE = "MY_SSHD_PORT";
    static final String INTERFACES_VARIABLE = "MY_MPI_BTL_TCP_IF";

    private static final int DEFAULT_PORT = 36666;

    /** Ports from here are above the ports that Muster draws, and below the ports of the link. */
    private static final int FIRST_DERIVED = 10_001;

    private static final int DERIVED = 14_999;
    private static final int MOST_SLOTS = 4096;
    private static final Pattern DIGITS = Pattern.compile("[0-9]{1,9}");
    private static final Pattern INTERFACES =
            Pattern.compile("[\\^=]?[A-Za-z0-9._:@-]{1,40}(,[A-Za-z0-9._:@-]{1,40}+)*+");

    /** A number and its origin. */
    record Count(int value, String origin) {}

    private Options() {}

    /** All options, in the order of the help. */
    static List<EngineOption> all() {
        return List.of(
                EngineOption.of(
                        SLOTS,
                        EngineOption.Kind.TEXT,
                        "ranks per node, 0 to 4096 (MY_MPI_SLOTS, --cards, the platform's cards; else 1)"),
                EngineOption.choice(LAUNCHER, "what starts the ranks", MPIRUN, HOROVODRUN),
                EngineOption.of(
                        HOSTFILE, EngineOption.Kind.PATH, "a hostfile with the hosts of the job and their slots"),
                Sshd.OPTION,
                EngineOption.of(
                        SSHD_PORT,
                        EngineOption.Kind.TEXT,
                        "the port of sshd on all nodes, 1 to 65535 (MY_SSHD_PORT; on Slurm from the job id; else 36666)"),
                EngineOption.of(
                        SSH_KEY,
                        EngineOption.Kind.PATH,
                        "the private key that all nodes of the job have, without a passphrase (else of ~/.ssh)"),
                MpirunArguments.OPTION);
    }

    static boolean isHorovodrun(JobSpec job) {
        return job.option(LAUNCHER)
                .filter(value -> value.value().equals(HOROVODRUN))
                .isPresent();
    }

    /** The number of ranks on each node. ModelArts' flavours without accelerators say 0: one rank runs there. */
    static Count slots(JobSpec job, Node node) throws PlanException {
        Optional<OptionValue> said = job.option(SLOTS).or(() -> job.variable(SLOTS_VARIABLE));
        if (said.isPresent()) {
            return new Count(
                    Math.max(1, slots(said.get(), "a number of ranks")),
                    said.get().origin());
        }
        int cards = node.cards().ids().size();
        return cards > 0 || node.cards().count().isPresent()
                ? new Count(
                        Math.max(1, cards > 0 ? cards : node.cards().count().getAsInt()),
                        node.cards().origin())
                : new Count(1, "default");
    }

    static int slots(OptionValue value, String meaning) throws PlanException {
        return number(value, 0, MOST_SLOTS, meaning);
    }

    /** The port of sshd on every node. For hosts that serve ssh themselves it is empty unless it is given. */
    static Optional<Count> port(JobSpec job) throws PlanException {
        Optional<OptionValue> said = job.option(SSHD_PORT).or(() -> job.variable(PORT_VARIABLE));
        if (said.isPresent()) {
            return Optional.of(
                    new Count(number(said.get(), 1, 65535, "a port"), said.get().origin()));
        }
        return Sshd.of(job).isOfJob() ? Optional.of(defaultPort(job)) : Optional.empty();
    }

    /** With a resource manager, other jobs may run on the same nodes, so the port follows from the job id. */
    private static Count defaultPort(JobSpec job) {
        return job.platform().resourceManager().isPresent() && job.idIsShared()
                ? new Count(FIRST_DERIVED + Math.floorMod(job.id().hashCode(), DERIVED), "from the job id " + job.id())
                : new Count(DEFAULT_PORT, "default");
    }

    /**
     * The network interfaces that are listed for the job. NCCL uses those that a host has. MPI crashes if a host lacks one of
     * them.
     */
    static Optional<String> interfaces(JobSpec job) throws PlanException {
        Optional<OptionValue> said = job.variable(INTERFACES_VARIABLE);
        if (said.isPresent() && !INTERFACES.matcher(said.get().value()).matches()) {
            throw PlanException.ofValue(
                    said.get(),
                    Messages.given(said.get()) + " is no list of network interfaces: give names with commas between"
                            + " them, such as " + MpiJob.USUAL_INTERFACES);
        }
        return said.map(OptionValue::value);
    }

    private static int number(OptionValue value, int least, int most, String meaning) throws PlanException {
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
}
