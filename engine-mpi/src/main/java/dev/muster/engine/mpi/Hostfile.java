package dev.muster.engine.mpi;

import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import dev.muster.spi.JobSpec;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
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

    private static final String SLOTS = "slots=";
    private static final int MOST_SLOTS = 4096;

    /** What can be a host's name or address; never an option of ssh. */
    private static final Pattern HOST =
            Pattern.compile("([A-Za-z0-9_][A-Za-z0-9._-]*@)?[A-Za-z0-9_:][A-Za-z0-9_.:%-]{0,252}");

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
                return Optional.of(read(place, slots, text.get().content()));
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

    private static Hostfile read(OptionValue place, Slots slots, String content) throws PlanException {
        Map<String, Integer> hosts = new LinkedHashMap<>();
        Set<Form> forms = EnumSet.noneOf(Form.class);
        String[] lines = content.split("\n", -1);
        for (int i = 0; i < lines.length; i++) {
            String text = lines[i].split("#", 2)[0].strip();
            if (!text.isEmpty()) {
                forms.add(add(hosts, text.split("\\s+", -1), slots, place.value() + ", line " + (i + 1)));
            }
        }
        String problem = hosts.isEmpty() ? "names no host" : "has no slot for any rank";
        if (hosts.values().stream().allMatch(count -> count == 0)) {
            throw PlanException.data(
                    place.value(), "", problem, "Write a line such as \"worker-0 slots=8\" for each host");
        }
        List<Line> read = hosts.entrySet().stream()
                .map(host -> new Line(host.getKey(), host.getValue()))
                .toList();
        return new Hostfile(
                place.value(),
                place.origin(),
                read,
                forms.size() == 1 ? forms.iterator().next() : Form.MIXED);
    }

    /** Adds the host of a line, and tells how the line says the number of slots. */
    private static Form add(Map<String, Integer> hosts, String[] words, Slots slots, String line) throws PlanException {
        String host = words[0];
        int count = slots.number();
        Form form = Form.MIXED;
        int colon = host.lastIndexOf(':');
        if (colon > 0 && host.indexOf(':') == colon) {
            count = count(host.substring(colon + 1), line);
            host = host.substring(0, colon);
            form = Form.HYDRA;
        }
        for (int i = 1; i < words.length; i++) {
            if (words[i].startsWith(SLOTS)) {
                count = count(words[i].substring(SLOTS.length()), line);
                form = Form.OPEN_MPI;
            }
        }
        if (!HOST.matcher(host).matches()) {
            throw new PlanException(
                    PlanException.Kind.DATA,
                    line + ": " + Messages.quote(host) + " is no name and no address of a host. Write a line such as"
                            + " \"worker-0 slots=8\" for each");
        }
        // mpirun, too, adds up the slots of a host that is named again.
        boolean isAgain = hosts.containsKey(host);
        hosts.merge(host, count, Integer::sum);
        return isAgain ? Form.MIXED : form;
    }

    private static int count(String slots, String line) throws PlanException {
        try {
            return Options.number(new OptionValue(slots, line), 0, MOST_SLOTS, "a number of slots");
        } catch (PlanException wrong) {
            throw new PlanException(PlanException.Kind.DATA, String.valueOf(wrong.getMessage()));
        }
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
