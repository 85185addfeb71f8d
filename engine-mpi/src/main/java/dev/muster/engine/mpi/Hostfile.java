package dev.muster.engine.mpi;

import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import dev.muster.spi.JobSpec;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A hostfile that somebody else wrote: lines such as {@code host slots=2} of Open MPI, or {@code host:2} of Hydra.
 *
 * @param path of the file
 * @param origin who named it
 * @param lines one for each host, even where it is named again
 * @param form of all lines; MIXED where they differ, or do not say how many ranks a host takes
 */
record Hostfile(String path, String origin, List<Line> lines, Form form) {

    /** A host, perhaps with a user before it, and how many ranks it takes. */
    record Line(String host, int slots) {}

    /** How lines say the number of slots. */
    enum Form {
        OPEN_MPI,
        HYDRA,
        MIXED
    }

    private static final String FILE = "hostfile ";

    /** Open MPI's, which the MPI operator sets, and those of Intel MPI and MPICH. */
    private static final List<String> VARIABLES = List.of(
            "OMPI_MCA_orte_default_hostfile",
            "PRTE_MCA_prte_default_hostfile",
            "I_MPI_HYDRA_HOST_FILE",
            "HYDRA_HOST_FILE");

    Hostfile {
        lines = List.copyOf(lines);
    }

    static List<Input> inputs(JobSpec job) {
        List<Input> inputs = new ArrayList<>();
        for (OptionValue place : places(job)) {
            inputs.add(new Input.TextFile(FILE + place.value(), place.value()));
        }
        return inputs;
    }

    /**
     * Empty where nobody gives one: then the job's is written.
     *
     * @param slots of hosts about which it says nothing
     */
    static Optional<Hostfile> find(PlanRequest request, Slots slots) throws PlanException {
        Optional<OptionValue> given = request.job().option(Options.HOSTFILE);
        for (OptionValue place : places(request.job())) {
            Optional<InputValue.Text> text = request.input(FILE + place.value(), InputValue.Text.class);
            if (text.isPresent()) {
                return Optional.of(
                        new HostfileReader(place, slots).read(text.get().content()));
            }
        }
        if (given.isPresent()) {
            throw PlanException.ofValue(given.get(), Messages.given(given.get()) + ": there is no such file");
        }
        return Optional.empty();
    }

    /** Hosts that serve ssh already are known from a hostfile only; without one this node would take itself for the whole job. */
    static PlanException missing(JobSpec job) {
        OptionValue sshd = job.option(Options.SSHD).orElseThrow();
        String looked = places(job).stream()
                .map(place -> place.value() + " (" + place.origin() + ")")
                .collect(Collectors.joining(", "));
        return PlanException.ofValue(
                sshd,
                sshd.origin()
                        + " says that the hosts serve ssh already, but there is no hostfile that names the hosts of the job"
                        + (looked.isEmpty() ? "" : "; looked for " + looked)
                        + ". Run Muster where the platform runs the launcher, or give -o " + Options.HOSTFILE
                        + "=FILE, or -o "
                        + Options.SSHD + "=" + Sshd.OWN.word() + " where Muster runs on every node");
    }

    /** All ranks that there is room for. */
    int slots() {
        return lines.stream().mapToInt(Line::slots).sum();
    }

    /** How many ranks each host takes, where all take the same. */
    Optional<Integer> slotsOfEach() {
        List<Integer> different = lines.stream().map(Line::slots).distinct().toList();
        return different.size() == 1 ? Optional.of(different.get(0)) : Optional.empty();
    }

    private static List<OptionValue> places(JobSpec job) {
        Optional<OptionValue> given = job.option(Options.HOSTFILE);
        if (given.isPresent()) {
            return List.of(given.get());
        }
        List<OptionValue> places = new ArrayList<>();
        VARIABLES.forEach(name -> job.variable(name)
                .filter(place -> place.value().startsWith("/"))
                .ifPresent(places::add));
        return places;
    }
}
