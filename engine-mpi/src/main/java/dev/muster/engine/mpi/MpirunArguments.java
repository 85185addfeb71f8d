package dev.muster.engine.mpi;

import dev.muster.spi.EngineOption;
import dev.muster.spi.JobSpec;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The user's arguments for the program that starts the ranks. Arguments that Muster sets itself are refused, with the option to use.
 *
 * @param words the arguments as mpirun gets them
 */
record MpirunArguments(List<String> words) {

    static final EngineOption OPTION = EngineOption.of(
            "mpirun-args",
            EngineOption.Kind.TEXT,
            "more options of mpirun, such as '--map-by socket'; for horovodrun its --mpi-args");

    private static final String SLOTS = "--slots N";
    private static final String HOSTS = "--hosts A,B,... or --hostfile FILE";
    private static final String SSH = "-o sshd, --sshd-port or --ssh-key";
    private static final String INTERFACES = "the variable " + Options.INTERFACES_VARIABLE;

    /** What to use instead of options of Open MPI, Intel MPI and MPICH, by the option's name without dashes. */
    private static final Map<String, String> OWNED = Map.of(
            "np n c N npernode pernode ppn perhost", SLOTS,
            "hostfile machinefile default-hostfile f H host hosts rmk", HOSTS,
            "wdir wd", "--workdir DIR",
            "app configfile", "the command after --",
            "bootstrap bootstrap-exec bootstrap-exec-args launcher launcher-exec", SSH,
            "iface", INTERFACES);

    /** The options of Open MPI that the name of a parameter follows. */
    private static final Set<String> BEFORE_PARAMETER = Set.of("mca", "gmca", "prtemca", "pmixmca");

    static MpirunArguments of(JobSpec job) {
        return new MpirunArguments(
                job.option(OPTION.name()).map(OptionValue::words).orElse(List.of()));
    }

    /** Refuses words that are no option, and options that Muster sets. */
    static void check(JobSpec job) throws PlanException {
        MpirunArguments arguments = of(job);
        if (arguments.words().isEmpty()) {
            return;
        }
        OptionValue given = job.option(OPTION.name()).orElseThrow();
        if (!arguments.words().get(0).startsWith("-") || arguments.words().contains(MpiJob.SEPARATOR)) {
            throw refusal(given, "are no options of mpirun. Give options only; the command follows --");
        }
        for (String name : arguments.names()) {
            Optional<String> instead = instead(name);
            if (instead.isPresent()) {
                throw refusal(given, "has " + name + ", which Muster decides. Give " + instead.get() + " instead");
            }
        }
    }

    private static Optional<String> instead(String name) {
        if (name.startsWith("plm_")) {
            return Optional.of(SSH);
        }
        return name.matches(".*_tcp_if_(in|ex)clude")
                ? Optional.of(INTERFACES)
                : OWNED.keySet().stream()
                        .filter(names -> List.of(names.split(" ")).contains(name))
                        .map(OWNED::get)
                        .findFirst();
    }

    private static PlanException refusal(OptionValue given, String why) {
        return PlanException.ofValue(given, Messages.given(given) + " " + why);
    }

    /** Whether one of these options or parameters is given. */
    boolean has(List<String> wanted) {
        return names().stream().anyMatch(wanted::contains);
    }

    /** The names of options, without their dashes, and of parameters. */
    private List<String> names() {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            String name = word.startsWith("-") ? word.replaceFirst("^--?", "").split("=", 2)[0] : "";
            names.add(BEFORE_PARAMETER.contains(name) && i + 1 < words.size() ? words.get(i + 1) : name);
        }
        return names;
    }
}
