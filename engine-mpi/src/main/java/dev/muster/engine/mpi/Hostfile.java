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

/**
 * A hostfile that somebody else wrote: lines such as {@code host slots=2} of Open MPI, or {@code host:2} of Hydra.
 *
 * @param path of the file
 * @param origin who named it
 * @param lines one for each host
 */
record Hostfile(String path, String origin, List<Line> lines) {

    /** A host and how many ranks it takes. */
    record Line(String host, int slots) {}

    private static final String FILE = "hostfile ";
    private static final String SLOTS = "slots=";
    private static final int MOST_SLOTS = 4096;

    /** Open MPI's, which the MPI operator sets, and those of Intel MPI and MPICH. */
    private static final List<String> VARIABLES = List.of(
            "OMPI_MCA_orte_default_hostfile",
            "PRTE_MCA_prte_default_hostfile",
            "I_MPI_HYDRA_HOST_FILE",
            "HYDRA_HOST_FILE");

    private static final String APULIS_USER = "DLWS_USER_NAME";

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

    /** Empty where nobody gives one: then the job's is written. */
    static Optional<Hostfile> find(PlanRequest request) throws PlanException {
        Optional<OptionValue> given = request.job().option(Options.HOSTFILE);
        for (OptionValue place : places(request.job())) {
            Optional<InputValue.Text> text = request.input(FILE + place.value(), InputValue.Text.class);
            if (text.isPresent()) {
                return Optional.of(parse(place, text.get().content()));
            }
        }
        if (given.isPresent()) {
            throw PlanException.ofValue(given.get(), Messages.given(given.get()) + ": there is no such file");
        }
        return Optional.empty();
    }

    int slots() {
        return lines.stream().mapToInt(Line::slots).sum();
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
        job.variable(APULIS_USER)
                .ifPresent(user -> places.add(new OptionValue("/home/" + user.value() + "/ib_config", APULIS_USER)));
        return places;
    }

    private static Hostfile parse(OptionValue place, String content) throws PlanException {
        List<Line> lines = new ArrayList<>();
        int number = 0;
        for (String line : content.split("\n", -1)) {
            number++;
            int comment = line.indexOf('#');
            String text = (comment < 0 ? line : line.substring(0, comment)).strip();
            if (!text.isEmpty()) {
                lines.add(line(place, number, text));
            }
        }
        if (lines.isEmpty()) {
            throw PlanException.data(
                    place.value(), "", "names no host", "Write a line such as \"worker-0 slots=8\" for each");
        }
        return new Hostfile(place.value(), place.origin(), lines);
    }

    private static Line line(OptionValue place, int number, String text) throws PlanException {
        String[] words = text.split("\\s+", -1);
        String host = words[0];
        int colon = host.lastIndexOf(':');
        boolean isHydra = colon > 0 && host.indexOf(':') == colon;
        String slots = isHydra ? host.substring(colon + 1) : "1";
        for (int i = 1; i < words.length; i++) {
            if (words[i].startsWith(SLOTS)) {
                slots = words[i].substring(SLOTS.length());
            }
        }
        OptionValue value = new OptionValue(slots, place.value() + ", line " + number);
        try {
            int count = WholeNumber.of(value, 0, MOST_SLOTS, "a number of slots");
            return new Line(isHydra ? host.substring(0, colon) : host, count);
        } catch (PlanException wrong) {
            throw new PlanException(PlanException.Kind.DATA, String.valueOf(wrong.getMessage()));
        }
    }
}
