package dev.muster.runtime.platform;

import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Printable;
import dev.muster.runtime.text.Shortened;
import dev.muster.spi.Host;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The tasks of a job, as Volcano's plugins env and svc tell them. ModelArts and MindX DL have these plugins, too. If svc sets no variables,
 * its files tell the same. If there are both, the variables win: the files change when a job grows, and the variables do not.
 */
final class VolcanoTasks {

    /** Which container of its task this one is, counted from 0; the second is the older name. */
    static final List<String> INDICES = List.of("VC_TASK_INDEX", "VK_TASK_INDEX");

    static final String HOSTS = "_HOSTS";
    static final String NUMBER = "_NUM";

    private static final String PREFIX = "VC_";

    /** Where the svc plugin mounts its lists: of a task {@code a-b} in {@code a_b.host}, one host a line. */
    private static final String DIRECTORY = "/etc/volcano/";

    private static final String FILE = ".host";

    private final EvidenceReader evidence;
    private Optional<SortedMap<String, List<Host>>> hosts = Optional.empty();

    VolcanoTasks(EvidenceReader evidence) {
        this.evidence = evidence;
    }

    /** {@code VC_WORKER_HOSTS} or the like: dashes cannot be in names of variables. */
    static String variable(String task, String what) {
        return PREFIX + task.toUpperCase(Locale.ROOT).replace('-', '_') + what;
    }

    /** The hosts of every task that is listed, by the task's name in lower case. */
    SortedMap<String, List<Host>> hosts() {
        // Kept: callers ask often, and there may be thousands of hosts.
        if (hosts.isEmpty()) {
            SortedMap<String, List<Host>> listed = new TreeMap<>();
            texts().forEach((list, names) -> listed.put(taskOf(list), read(list, names)));
            hosts = Optional.of(Collections.unmodifiableSortedMap(listed));
        }
        return hosts.orElseThrow();
    }

    /** The names of all tasks that are listed, in lower case. */
    Set<String> names() {
        return lists().stream().map(VolcanoTasks::taskOf).collect(Collectors.toCollection(TreeSet::new));
    }

    /** The names of the variables, else the files, that list hosts. */
    List<String> lists() {
        return List.copyOf(texts().keySet());
    }

    /** The variable or file that lists the hosts of a task. */
    String origin(String task) {
        return lists().stream()
                .filter(list -> taskOf(list).equals(task))
                .findFirst()
                .orElse(variable(task, HOSTS));
    }

    /** The lists with commas between hosts, by the names of their variables or files. */
    private SortedMap<String, String> texts() {
        SortedMap<String, String> texts = new TreeMap<>();
        evidence.source().environment().forEach((name, value) -> {
            if (task(name, HOSTS).isPresent() && !value.isBlank()) {
                texts.put(name, value);
            }
        });
        for (String name : texts.isEmpty() ? evidence.source().names(DIRECTORY) : List.<String>of()) {
            String lines = evidence.source().text(DIRECTORY + name).orElse("").strip();
            if (name.endsWith(FILE) && name.length() > FILE.length() && !lines.isEmpty()) {
                texts.put(DIRECTORY + name, lines.replaceAll("\\s*\\n\\s*", ","));
            }
        }
        return texts;
    }

    private static String taskOf(String list) {
        return task(list, HOSTS)
                .orElseGet(() -> list.substring(DIRECTORY.length(), list.length() - FILE.length())
                        .replace('_', '-'));
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

    private static List<Host> read(String list, String names) {
        List<Host> hosts = new ArrayList<>();
        for (String name : names.split(",", -1)) {
            hosts.add(Host.of(EvidenceReader.safeName(list, name.strip(), "a host name"), Optional.empty()));
        }
        if (new HashSet<>(hosts).size() < hosts.size()) {
            throw MusterException.configuration(
                    list + " names a host twice: " + Printable.quote(Shortened.begun(SlurmNodes.MOST_SHOWN, names))
                            + ". Give --hosts A,B,... and --node-index I");
        }
        return hosts;
    }
}
