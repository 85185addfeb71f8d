package dev.muster.engine.mpi;

import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import dev.muster.spi.JobSpec;
import dev.muster.spi.NodeInfo;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import dev.muster.spi.PlanRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A hostfile of the user or the platform: lines such as {@code host slots=2} of Open MPI, or {@code host:2} of Hydra.
 *
 * @param path of the file
 * @param origin the option or variable that named it
 * @param hosts each once, even if the file names it several times
 */
record Hostfile(String path, String origin, List<MpiHost> hosts) {

    private static final String FILE = "hostfile ";

    /** The variables with a hostfile: those of Open MPI, which the MPI operator sets, of Intel MPI and of MPICH. */
    private static final List<String> VARIABLES = List.of(
            "OMPI_MCA_orte_default_hostfile",
            "PRTE_MCA_prte_default_hostfile",
            "I_MPI_HYDRA_HOST_FILE",
            "HYDRA_HOST_FILE");

    /** Open MPI ignores what stands after {@code #} and {@code //}. */
    private static final Pattern COMMENT = Pattern.compile("#.*|(^|\\s)//.*", Pattern.DOTALL);

    private static final Pattern WORD = Pattern.compile("[^ \\t]+");

    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|.*:.*");

    Hostfile {
        hosts = List.copyOf(hosts);
    }

    static List<Input> inputs(JobSpec job) {
        List<Input> inputs = new ArrayList<>();
        for (OptionValue place : places(job)) {
            inputs.add(new Input.TextFile(FILE + place.value(), place.value()));
        }
        return inputs;
    }

    /** The hostfile that is given; empty: none is, and this launcher writes one. */
    static Optional<Hostfile> find(PlanRequest request) throws PlanException {
        JobSpec job = request.job();
        for (OptionValue place : places(job)) {
            Optional<InputValue.Text> text = request.input(FILE + place.value(), InputValue.Text.class);
            if (text.isPresent()) {
                return Optional.of(read(request, place, text.get().content()));
            }
        }
        Optional<OptionValue> given = job.option(Options.HOSTFILE);
        if (given.isPresent()) {
            throw PlanException.ofValue(given.get(), Messages.given(given.get()) + ": there is no such file");
        }
        if (!Sshd.of(job).isOfJob()) {
            throw missing(job);
        }
        return Optional.empty();
    }

    /** Only a hostfile tells hosts that serve ssh themselves. Without one this node would run the whole job alone. */
    private static PlanException missing(JobSpec job) {
        OptionValue sshd = job.option(Options.SSHD).orElseThrow();
        String looked = places(job).stream()
                .map(place -> place.value() + " (" + place.origin() + ")")
                .collect(Collectors.joining(", "));
        return PlanException.ofValue(
                sshd,
                sshd.origin()
                        + " says that the hosts serve ssh already, but there is no hostfile that names the hosts of the job"
                        + (looked.isEmpty() ? "" : "; looked for " + looked)
                        + ". Run Muster where the platform runs the launcher, or give -o hostfile=FILE, or -o sshd=own where"
                        + " Muster runs on every node");
    }

    private static Hostfile read(PlanRequest request, OptionValue place, String content) throws PlanException {
        int usual = Options.slots(request.job(), request.node()).value();
        Map<String, Integer> slots = slots(place.value(), content, usual);
        if (slots.values().stream().allMatch(count -> count == 0)) {
            throw PlanException.data(
                    place.value(),
                    "",
                    slots.isEmpty() ? "names no host" : "has no slot for any rank",
                    "Write a line such as \"worker-0 slots=8\" for each host");
        }
        List<MpiHost> hosts = new ArrayList<>();
        slots.forEach((login, count) -> hosts.add(host(request.node().machine(), login, count)));
        return new Hostfile(place.value(), place.origin(), hosts);
    }

    /** The number of slots of each host. */
    private static Map<String, Integer> slots(String path, String content, int usual) throws PlanException {
        Map<String, Integer> slots = new LinkedHashMap<>();
        Set<String> counted = new HashSet<>();
        String[] lines = content.split("\n", -1);
        for (int i = 0; i < lines.length; i++) {
            String text = COMMENT.matcher(lines[i]).replaceFirst("").replaceAll("[ \t]*=[ \t]*", "=");
            List<String> words =
                    WORD.matcher(text).results().map(MatchResult::group).toList();
            if (!words.isEmpty()) {
                new HostLine(path + ", line " + (i + 1), words).addTo(slots, counted, usual);
            }
        }
        return slots;
    }

    private static MpiHost host(NodeInfo machine, String login, int slots) {
        String name = login.substring(login.lastIndexOf('@') + 1);
        return new MpiHost(name, name, login, slots, isHere(machine, name));
    }

    /** Whether a name is this host. As in mpirun, only the first part of a name counts. */
    private static boolean isHere(NodeInfo machine, String name) {
        boolean isSameName = !ADDRESS.matcher(name).matches() && label(name).equals(label(machine.hostName()));
        return isSameName || name.equals("localhost") || machine.addresses().contains(name);
    }

    private static String label(String name) {
        return name.toLowerCase(Locale.ROOT).split("\\.", 2)[0];
    }

    private static List<OptionValue> places(JobSpec job) {
        Optional<OptionValue> given = job.option(Options.HOSTFILE);
        if (given.isPresent()) {
            return List.of(given.get());
        }
        return VARIABLES.stream()
                .flatMap(name -> job.variable(name).stream())
                .filter(place -> place.value().startsWith("/"))
                .toList();
    }

    /**
     * A line of a hostfile that names a host. This class reads it as mpirun does, and refuses what mpirun refuses or ignores.
     *
     * @param place file and number, for messages
     * @param words without spaces around {@code =}
     */
    private record HostLine(String place, List<String> words) {

        /** A host's name or address, perhaps with a user. An option of ssh never matches. */
        private static final Pattern HOST =
                Pattern.compile("([A-Za-z0-9_][A-Za-z0-9._-]*@)?[A-Za-z0-9_:][A-Za-z0-9_.:%-]{0,252}");

        /** A host with a number of slots. More than one colon means an IPv6 address. */
        private static final Pattern HYDRA = Pattern.compile("([^:]+):([^:]*)");

        private static final Pattern SLOTS = Pattern.compile("(slots|cpu|count)=([0-9]+)");

        private static final Pattern MOST_SLOTS =
                Pattern.compile("((slots|cpu|count)[_-]max|max[_-](slots|cpu|count))=([0-9]+)");

        private HostLine {
            words = List.copyOf(words);
        }

        /**
         * Adds this line's slots to those of its host.
         *
         * @param counted the hosts that have {@code slots=} in an earlier line: a second number contradicts the first
         * @param usual the number of slots of a host whose line does not tell it
         */
        private void addTo(Map<String, Integer> slots, Set<String> counted, int usual) throws PlanException {
            Matcher hydra = HYDRA.matcher(words.get(0));
            int count = hydra.matches() ? number(hydra.group(2)) : -1;
            int most = -1;
            String host = checked(hydra.matches() ? hydra.group(1) : words.get(0));
            for (String word : words.subList(1, words.size())) {
                Matcher given = SLOTS.matcher(word);
                Matcher limit = MOST_SLOTS.matcher(word);
                if (given.matches() && count < 0 && counted.add(host)) {
                    count = number(given.group(2));
                } else if (limit.matches() && most < 0) {
                    most = number(limit.group(4));
                } else {
                    String second = " is a second number of slots for host " + host;
                    throw refusal(Messages.quote(word) + (given.matches() ? second : " is not understood"));
                }
            }
            if (most >= 0 && most < count) {
                throw refusal("the limit of " + most + " slots is less than slots=" + count);
            }
            slots.merge(host, count >= 0 ? count : most >= 0 ? most : usual, Integer::sum);
        }

        private String checked(String host) throws PlanException {
            if (!HOST.matcher(host).matches()) {
                throw refusal(Messages.quote(host) + " is no name and no address of a host");
            }
            return host;
        }

        private int number(String slots) throws PlanException {
            try {
                return Options.slots(new OptionValue(slots, place), "a number of slots");
            } catch (PlanException wrong) {
                throw new PlanException(PlanException.Kind.DATA, String.valueOf(wrong.getMessage()));
            }
        }

        private PlanException refusal(String problem) {
            return new PlanException(
                    PlanException.Kind.DATA,
                    place + ": " + problem + ". Write a line such as \"worker-0 slots=8\" for each host");
        }
    }
}
