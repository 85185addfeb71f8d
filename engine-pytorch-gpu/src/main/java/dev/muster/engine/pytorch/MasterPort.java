package dev.muster.engine.pytorch;

import dev.muster.spi.EngineOption;
import dev.muster.spi.JobSpec;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import dev.muster.spi.RequiredPort;
import dev.muster.spi.Value;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * The port at which the job's processes meet.
 *
 * @param number the port, where it is known before the run starts
 * @param origin who chose it
 */
record MasterPort(OptionalInt number, String origin) {

    static final EngineOption OPTION = EngineOption.of(
            "master-port", EngineOption.Kind.TEXT, "TCP port of node 0, 1 to 65535, the same on every node");

    /** The option as a variable, for simulated nodes. */
    static final String VARIABLE = "MUSTER_MASTER_PORT";

    private static final int HIGHEST = 65_535;
    /** Above the ports that Muster draws for single nodes, and below those at which the launchers of jobs meet. */
    private static final int FIRST_DERIVED = 10_001;

    private static final int DERIVED = 14_999;
    /** Prime, and far from the ports of jobs whose ids are neighbours. */
    private static final int BETWEEN_RUNS = 7919;

    private static final Pattern PORT = Pattern.compile("0*[0-9]{1,5}");

    static MasterPort of(JobSpec job, Position position) throws PlanException {
        Optional<OptionValue> option = job.option(OPTION.name());
        if (option.isPresent()) {
            return new MasterPort(
                    OptionalInt.of(parsed(option.get())), option.get().origin());
        }
        if (position.isAlone()) {
            // Nobody else has to know it, and several jobs may share the machine.
            return new MasterPort(OptionalInt.empty(), "drawn");
        }
        Optional<Integer> promised = job.platform().rendezvousPort();
        if (promised.isPresent()) {
            return new MasterPort(
                    OptionalInt.of(promised.get()), "platform " + job.platform().name());
        }
        return derived(job, position);
    }

    /** The port as a value of the plan. */
    Value value() {
        return number.isPresent() ? Value.of(number.getAsInt()) : Value.freePort("rendezvous");
    }

    /** What must be free on the node that listens, where the port is not drawn anyway. */
    Optional<RequiredPort> toUse() {
        return number.isPresent()
                ? Optional.of(RequiredPort.of(
                        number.getAsInt(), "the rendezvous", origin, "Choose another with --master-port"))
                : Optional.empty();
    }

    private static int parsed(OptionValue option) throws PlanException {
        boolean isNumber = PORT.matcher(option.value()).matches();
        int port = isNumber ? Integer.parseInt(option.value()) : 0;
        if (port < 1 || port > HIGHEST) {
            throw Messages.usage(
                    Messages.given(option) + " is no TCP port", "Give a whole number from 1 to " + HIGHEST);
        }
        return port;
    }

    /**
     * Java's hash of texts is the same everywhere. Ids that differ in their last two digits only never get the same port, so
     * jobs that are numbered one after the other can share a machine. Every run of a job has another: what the one before has left
     * is in nobody's way.
     */
    private static MasterPort derived(JobSpec job, Position position) throws PlanException {
        if (!job.idIsShared()) {
            throw Messages.configuration(
                    "the job has " + position.count()
                            + " nodes but no id, from which all of them would compute the same port",
                    "Give --job-id ID or --master-port P, the same on every node");
        }
        int first = Math.floorMod(job.id().hashCode(), DERIVED);
        int port = FIRST_DERIVED + (int) ((first + (job.run() - 1L) * BETWEEN_RUNS) % DERIVED);
        String run = job.run() > 1 ? " and run " + job.run() : "";
        return new MasterPort(OptionalInt.of(port), "from the job id " + job.id() + run);
    }
}
