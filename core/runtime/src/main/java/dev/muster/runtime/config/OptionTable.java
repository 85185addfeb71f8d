package dev.muster.runtime.config;

import static dev.muster.runtime.config.Option.Trait.NOT_IN_FILE;
import static dev.muster.runtime.config.Option.Trait.ONLY_ON_COMMAND_LINE;
import static dev.muster.runtime.config.Option.Trait.ON_FIRST_PAGE;
import static dev.muster.runtime.config.Option.Trait.REPEATABLE;
import static dev.muster.runtime.config.ValueForm.DURATION;
import static dev.muster.runtime.config.ValueForm.SWITCH;
import static dev.muster.runtime.config.ValueForm.choice;
import static dev.muster.runtime.config.ValueForm.number;
import static dev.muster.runtime.config.ValueForm.path;
import static dev.muster.runtime.config.ValueForm.signal;
import static dev.muster.runtime.config.ValueForm.text;

import dev.muster.runtime.config.Option.Trait;
import dev.muster.runtime.text.TextResource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * All options of Muster's own, in the order of the help. The one source for parsing, {@code MUSTER_*} variables, configuration keys,
 * origins and help texts. The comment of an option says who needs it.
 */
public final class OptionTable {

    /** What the names of all variables of options begin with. */
    public static final String VARIABLE_PREFIX = "MUSTER_";

    /** The most nodes a job can have. */
    public static final int MOST_NODES = 4096;

    /** The most accelerators a node can have. */
    public static final int MOST_CARDS = 4096;

    /** The most restarts of a job: more would hide another problem. */
    public static final int MOST_RESTARTS = 1000;

    /** The highest port of TCP and UDP. */
    public static final int HIGHEST_PORT = 65_535;

    static final Set<Command> JOBS =
            EnumSet.of(Command.LAUNCH, Command.RUN, Command.PLAN, Command.DOCTOR, Command.SIMULATE, Command.MANIFEST);
    private static final Set<Command> WITH_PLUGINS = jobsAnd(Command.ENGINES, Command.PLATFORMS);
    private static final Set<Command> THIS_NODE = EnumSet.of(Command.LAUNCH, Command.PLAN, Command.DOCTOR);
    private static final Set<Command> NODES_OF_A_LIST =
            EnumSet.of(Command.LAUNCH, Command.RUN, Command.PLAN, Command.DOCTOR);
    private static final Set<Command> RUN = EnumSet.of(Command.RUN);
    private static final Set<Command> PLANS = EnumSet.of(Command.PLAN, Command.LOGS);
    private static final Set<Command> SHOWN = EnumSet.of(
            Command.PLAN, Command.DOCTOR, Command.PS, Command.TOP, Command.STACKS, Command.ENGINES, Command.PLATFORMS);
    private static final Set<Command> SIMULATION = EnumSet.of(Command.SIMULATE);
    private static final Set<Command> MANIFEST = EnumSet.of(Command.MANIFEST);
    private static final Set<Command> JOBS_AND_STOP = jobsAnd(Command.STOP);
    private static final Set<Command> STOPPING = EnumSet.of(Command.STOP);
    private static final Set<Command> OF_JOBS = EnumSet.of(Command.STOP, Command.TOP, Command.STACKS, Command.LOGS);
    private static final Set<Command> JOBS_AND_STACKS = jobsAnd(Command.STACKS);
    private static final Set<Command> LIVE = EnumSet.of(Command.TOP);
    private static final Set<Command> LOGS = EnumSet.of(Command.LOGS);
    private static final Set<Command> JOBS_AND_LOGS = jobsAnd(Command.LOGS);
    private static final Set<Command> ALL = EnumSet.allOf(Command.class);

    /** Grows with each row below, so it comes before them. */
    private static final List<Option> ROWS = new ArrayList<>();

    /** Options that make the job for which muster certify checks a launcher. The launcher has its own options. */
    private static final Set<String> OF_CERTIFY = Set.of(
            "engine", "platform", "plugins", "nodes", "cards", "log-dir", "grace", "config", "mask", "o", "format");

    /** What {@code muster manifest} has a template for, as {@code ManifestPlatform} names it. */
    public static final List<String> MANIFEST_PLATFORMS = List.of("volcano", "mindx", "kubernetes", "slurm");

    private static final String NO_DEFAULT = "";
    private static final String OFF = "false";

    public static final Option ENGINE = row("engine", text("E"), JOBS, NO_DEFAULT, ON_FIRST_PAGE);
    /** Containers with variables of two platforms, and simulations. */
    public static final Option PLATFORM = row("platform", text("P"), JOBS, "auto");

    /** Images that users cannot write to. */
    public static final Option PLUGINS = row("plugins", path("DIR"), WITH_PLUGINS, NO_DEFAULT, NOT_IN_FILE);

    public static final Option NODES = row("nodes", number("N", 1, MOST_NODES), JOBS, NO_DEFAULT, ON_FIRST_PAGE);
    public static final Option NODE_INDEX =
            row("node-index", number("I", 0, MOST_NODES - 1), THIS_NODE, NO_DEFAULT, ON_FIRST_PAGE);
    /** Jobs whose ranks must find other nodes by name. */
    public static final Option HOSTS = row("hosts", ValueForm.HOST_LIST, NODES_OF_A_LIST, NO_DEFAULT);
    /** Clusters whose scheduler starts nothing but a script, and lists of hosts that are long. */
    public static final Option HOSTS_FROM = row("hosts-from", text("SOURCE"), RUN, NO_DEFAULT);
    /** Hosts that have nothing yet. */
    public static final Option COPY = row("copy", SWITCH, RUN, OFF);
    /** Variables that ssh does not take along. */
    public static final Option ENV = row("env", text("NAME"), RUN, NO_DEFAULT, REPEATABLE);

    public static final Option CARDS = row("cards", number("N", 1, MOST_CARDS), JOBS, NO_DEFAULT, ON_FIRST_PAGE);
    /** Two jobs that share a node. */
    public static final Option CARD_IDS = row("card-ids", ValueForm.CARD_IDS, NODES_OF_A_LIST, NO_DEFAULT);
    /** Schedulers without an id of the job, and jobs that are started again under the same name. */
    public static final Option JOB_ID = row("job-id", ValueForm.ID, JOBS, NO_DEFAULT);
    /** Nodes whose ranks slow each other down when the kernel moves them from core to core. */
    public static final Option BIND = row("bind", choice("none", "cores", "numa"), JOBS, "none");
    /** Images with several conda environments. */
    public static final Option CONDA_ENV = row("conda-env", text("ENV"), JOBS, NO_DEFAULT);
    /** Images whose start directory is not the program's. */
    public static final Option WORKDIR = row("workdir", path("DIR"), JOBS, NO_DEFAULT);
    /** Users who keep logs on a volume. */
    public static final Option LOG_DIR = row("log-dir", path("DIR"), JOBS_AND_LOGS, NO_DEFAULT, ON_FIRST_PAGE);
    /** Operators of many jobs, who watch them in Prometheus. */
    public static final Option METRICS_FILE = row("metrics-file", path("FILE"), THIS_NODE, NO_DEFAULT);
    /** Queues without a time limit of their own, and users who pay for cards by the hour. */
    public static final Option TIME_LIMIT = row("time-limit", ValueForm.TIME_OF_A_JOB, JOBS, NO_DEFAULT);
    /** Volumes with little room, and users who also look at good attempts. */
    public static final Option REPORT = row("report", choice("failure", "always", "off"), JOBS, "failure");
    /** Programs that save longer, and platforms that wait less, than the default. */
    public static final Option GRACE = row("grace", DURATION, JOBS_AND_STOP, "15s", ON_FIRST_PAGE);
    /** Programs that save at USR1, as Slurm users have them. */
    public static final Option CHECKPOINT_SIGNAL =
            row("checkpoint-signal", signal("USR1", "USR2", "HUP", "INT", "QUIT"), JOBS, NO_DEFAULT);
    /** Programs behind a shell script that does not pass SIGTERM on. */
    public static final Option STOP_SIGNAL_TO = row("stop-signal-to", choice("leader", "all"), JOBS, "leader");

    public static final Option JOB = row("job", text("ID"), OF_JOBS, NO_DEFAULT, ONLY_ON_COMMAND_LINE);

    public static final Option EVERY_LAUNCHER = row("all", SWITCH, STOPPING, OFF, ONLY_ON_COMMAND_LINE);
    /** Root on a machine that several users share. */
    public static final Option USER = row("user", text("USER"), STOPPING, NO_DEFAULT, ONLY_ON_COMMAND_LINE);
    /** Clusters whose rank tables come late, and tests that do not wait half an hour. */
    public static final Option INPUT_TIMEOUT = row("input-timeout", DURATION, JOBS, "30m");
    /** Nodes that must not talk to each other (off), or must (required). */
    public static final Option LINK = row("link", choice("auto", "required", "off"), JOBS, "auto");
    /** Firewalls and network policies that let one port through. */
    public static final Option LINK_PORT = row("link-port", number("PORT", 1, HIGHEST_PORT), JOBS, NO_DEFAULT);
    /** Networks that other tenants share. Its variable may hold the secret itself: see {@link ProcessInfo#linkSecret}. */
    public static final Option LINK_SECRET = row("link-secret", path("FILE"), JOBS, NO_DEFAULT);

    /** Nodes whose output must not leave them. */
    public static final Option LINK_OUTPUT = row("link-output", choice("on", "off"), JOBS, "on");

    /** Networks that are away for longer than a minute. */
    public static final Option LOST_AFTER = row("lost-after", ValueForm.SILENCE, JOBS, "60s");
    /** Jobs that go on in place after a failure. */
    public static final Option RESTARTS = row("restarts", number("N", 0, MOST_RESTARTS), JOBS, "0");
    /** Jobs in which some exit codes must not cause a restart. */
    public static final Option RESTART_ON = row("restart-on", ValueForm.ENDS, JOBS, "failure,lost");
    /** MindX DL with its file in another place. */
    public static final Option RESET_FILE = row("reset-file", path("FILE"), JOBS, NO_DEFAULT);
    /** Jobs that cost more while they hang than when they end. */
    public static final Option HANG_TIMEOUT = row("hang-timeout", DURATION, JOBS, NO_DEFAULT);

    public static final Option ON_HANG = row("on-hang", choice("report", "stop", "restart"), JOBS, "report");
    /** Images without py-spy, or where py-spy has no permission. */
    public static final Option STACKS_SIGNAL =
            row("stacks-signal", signal("USR1", "USR2", "HUP", "QUIT"), JOBS_AND_STACKS, NO_DEFAULT);
    /** Users who feed the console to a parser. */
    public static final Option PREFIX = row("prefix", choice("none", "rank", "node"), JOBS, "rank");
    /** Users who watch some of many ranks. */
    public static final Option CONSOLE_RANKS = row("console-ranks", ValueForm.RANKS, JOBS, NO_DEFAULT);
    /** Users who step through one rank with pdb, while the others go on. */
    public static final Option DEBUG_RANK = row("debug-rank", number("R", 0, 999_999), THIS_NODE, NO_DEFAULT);
    /** Users who ask when a line was printed. */
    public static final Option TIMESTAMPS = row("timestamps", SWITCH, JOBS_AND_LOGS, OFF);
    /** Ranks that all print the same. */
    public static final Option FOLD = row("fold", SWITCH, JOBS, OFF);
    /** Platforms that decide on restarts by their own exit codes. */
    public static final Option EXIT_CODES =
            row("exit-codes", choice("standard", "modelarts", "kubeflow"), JOBS, "standard");

    public static final Option CONFIG = row("config", path("FILE"), JOBS, NO_DEFAULT, NOT_IN_FILE);
    public static final Option MASK = row("mask", ValueForm.NAME_PATTERN, JOBS, NO_DEFAULT, REPEATABLE);
    /** Engine options with the name of an option of Muster. */
    public static final Option ENGINE_OPTION =
            row("o", ValueForm.ASSIGNMENT, JOBS, NO_DEFAULT, REPEATABLE, ONLY_ON_COMMAND_LINE);

    public static final Option LATE = row("late", DURATION, SIMULATION, NO_DEFAULT);
    public static final Option FAIL =
            row("fail", ValueForm.FAULT, SIMULATION, NO_DEFAULT, REPEATABLE, ONLY_ON_COMMAND_LINE);

    public static final Option DOCTOR = row("doctor", SWITCH, SIMULATION, OFF, ONLY_ON_COMMAND_LINE);

    public static final Option FOLLOW = row("f", SWITCH, LOGS, OFF, ONLY_ON_COMMAND_LINE);
    public static final Option SINCE = row("since", DURATION, LOGS, NO_DEFAULT, ONLY_ON_COMMAND_LINE);
    public static final Option GREP = row("grep", text("RE"), LOGS, NO_DEFAULT, ONLY_ON_COMMAND_LINE);

    public static final Option IMAGE = row("image", text("IMAGE"), MANIFEST, NO_DEFAULT, ONLY_ON_COMMAND_LINE);
    public static final Option FORMAT = row("format", choice("text", "json"), SHOWN, "text");
    public static final Option ONCE = row("once", SWITCH, LIVE, OFF, ONLY_ON_COMMAND_LINE);
    public static final Option ALL_NODES = row("all-nodes", SWITCH, PLANS, OFF);

    /** Terminals with unreadable colours, and services that show colours without a terminal. */
    public static final Option COLOR = row("color", choice("auto", "always", "never"), ALL, "auto", NOT_IN_FILE);

    public static final Option HELP = row("help", SWITCH, ALL, OFF, ON_FIRST_PAGE, ONLY_ON_COMMAND_LINE);
    public static final Option VERSION = row("version", SWITCH, ALL, OFF, ONLY_ON_COMMAND_LINE);

    private OptionTable() {}

    /** All of them, in the order of the help. */
    static List<Option> rows() {
        return Collections.unmodifiableList(ROWS);
    }

    private static Set<Command> jobsAnd(Command... others) {
        Set<Command> all = EnumSet.copyOf(JOBS);
        Collections.addAll(all, others);
        return all;
    }

    /** Adds an option to the table. */
    private static Option row(
            String name, ValueForm form, Set<Command> commands, String defaultValue, Trait... traits) {
        Optional<String> value = defaultValue.equals(NO_DEFAULT) ? Optional.empty() : Optional.of(defaultValue);
        Option option = new Option(name, form, of(name, commands), value, () -> help(name), Set.of(traits));
        ROWS.add(option);
        return option;
    }

    private static Set<Command> of(String name, Set<Command> commands) {
        Set<Command> all = EnumSet.copyOf(commands);
        if (OF_CERTIFY.contains(name)) {
            all.add(Command.CERTIFY);
        }
        return all;
    }

    private static String help(String name) {
        String start = name + ": ";
        return TextResource.lines(OptionTable.class, "options.txt").stream()
                .filter(line -> line.startsWith(start))
                .map(line -> line.substring(start.length()))
                .findFirst()
                .orElseThrow();
    }
}
