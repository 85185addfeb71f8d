package dev.muster.runtime.platform;

import dev.muster.runtime.config.Environment;
import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.errors.MusterException;
import dev.muster.spi.Host;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The tasks of a job as the env and svc plugins of Volcano tell them: ModelArts and MindX DL have them too. */
final class VolcanoTasks {

    /** Which container of its task this one is, counted from 0; the second is the older name. */
    static final List<String> INDICES = List.of("VC_TASK_INDEX", "VK_TASK_INDEX");

    static final String PREFIX = "VC_";
    static final String HOSTS = "_HOSTS";
    static final String NUMBER = "_NUM";

    /** Where the svc plugin mounts its lists, too: of a task {@code a-b} in {@code a_b.host}, one host a line. */
    private static final String DIRECTORY = "/etc/volcano";

    private static final String FILE = ".host";

    private final Environment environment;
    private final Optional<MachineFiles> files;

    /** What the variables tell. */
    VolcanoTasks(Environment environment) {
        this(environment, Optional.empty());
    }

    /** What the variables tell; else the files, which the plugin writes even where it is told to set no variables. */
    VolcanoTasks(Evidence evidence) {
        this(evidence.environment(), Optional.of(evidence.files()));
    }

    private VolcanoTasks(Environment environment, Optional<MachineFiles> files) {
        this.environment = environment;
        this.files = files;
    }

    /** {@code VC_WORKER_HOSTS} or the like: dashes cannot be in names of variables. */
    static String variable(String task, String what) {
        return PREFIX + task.toUpperCase(Locale.ROOT).replace('-', '_') + what;
    }

    /** The hosts of every task that is listed, by the task's name in lower case. */
    SortedMap<String, List<Host>> hosts() {
        SortedMap<String, List<Host>> hosts = new TreeMap<>();
        for (Map.Entry<String, String> variable : environment.variables().entrySet()) {
            Optional<String> task = task(variable.getKey(), HOSTS);
            if (task.isPresent() && !variable.getValue().isBlank()) {
                hosts.put(task.get(), read(variable.getKey(), variable.getValue()));
            }
        }
        return hosts.isEmpty() ? hostsOfFiles() : hosts;
    }

    /** Running containers see files change when a job grows, and variables not: where there are both, the variables hold. */
    private SortedMap<String, List<Host>> hostsOfFiles() {
        SortedMap<String, List<Host>> hosts = new TreeMap<>();
        for (String name : fileNames()) {
            String path = DIRECTORY + "/" + name;
            String lines = files.orElseThrow().text(path).orElse("").strip();
            if (!lines.isEmpty()) {
                String task = name.substring(0, name.length() - FILE.length()).replace('_', '-');
                hosts.put(task, read(path, lines.replaceAll("\\s*\\n\\s*", ",")));
            }
        }
        return hosts;
    }

    private List<String> fileNames() {
        return files.map(some -> some.names(DIRECTORY)).orElse(List.of()).stream()
                .filter(name -> name.endsWith(FILE) && name.length() > FILE.length())
                .toList();
    }

    /** The names of the variables, else the files, that list hosts. */
    List<String> lists() {
        List<String> lists = new ArrayList<>();
        environment.variables().forEach((name, value) -> {
            if (task(name, HOSTS).isPresent() && !value.isBlank()) {
                lists.add(name);
            }
        });
        return lists.isEmpty()
                ? fileNames().stream().map(name -> DIRECTORY + "/" + name).toList()
                : lists;
    }

    /** Who lists the hosts of a task. */
    String origin(String task) {
        String variable = variable(task, HOSTS);
        return environment.value(variable).isPresent() ? variable : DIRECTORY + "/" + task.replace('-', '_') + FILE;
    }

    /** @throws MusterException when a task is said to have another number of containers than its list has hosts */
    void checkCounts() {
        SortedMap<String, List<Host>> all = hosts();
        for (String name : environment.variables().keySet()) {
            Optional<String> task = task(name, NUMBER);
            if (task.isPresent() && environment.value(name).isPresent()) {
                int count = Integer.parseInt(Variables.number(environment, name, 0, OptionTable.MOST_NODES));
                int listed = all.getOrDefault(task.get(), List.of()).size();
                if (count != listed) {
                    throw MusterException.configuration(name + "=" + count + ", but " + origin(task.get()) + " names "
                            + listed + " hosts. Correct one of them, or give --nodes N and --node-index I");
                }
            }
        }
    }

    /** By what a task has more than one container, in words; empty: it has one, or nobody says how many. */
    Optional<String> several(String task) {
        List<String> said = new ArrayList<>();
        int listed = hostsOf(task).map(List::size).orElse(0);
        if (listed > 1) {
            said.add(variable(task, HOSTS) + " names " + listed + " hosts");
        }
        String number = variable(task, NUMBER);
        boolean isCounted = environment.value(number).isPresent();
        int count = isCounted ? Integer.parseInt(Variables.number(environment, number, 0, OptionTable.MOST_NODES)) : 0;
        if (count > 1) {
            said.add(number + "=" + count);
        }
        return said.isEmpty() ? Optional.empty() : Optional.of(String.join(", and ", said));
    }

    /** The hosts of a task in index order. */
    Optional<List<Host>> hostsOf(String task) {
        String name = variable(task, HOSTS);
        return environment.value(name).map(list -> read(name, list));
    }

    /** The task of a variable such as {@code VC_WORKER_HOSTS}. */
    static Optional<String> task(String variable, String what) {
        int end = variable.length() - what.length();
        boolean isOfTask = variable.startsWith(PREFIX) && variable.endsWith(what) && end > PREFIX.length();
        return isOfTask
                ? Optional.of(variable.substring(PREFIX.length(), end)
                        .toLowerCase(Locale.ROOT)
                        .replace('_', '-'))
                : Optional.empty();
    }

    private static List<Host> read(String variable, String names) {
        List<Host> hosts = new ArrayList<>();
        for (String name : names.split(",", -1)) {
            hosts.add(new Host(Variables.safeName(variable, name.strip(), "a host name"), Optional.empty()));
        }
        return hosts;
    }
}
