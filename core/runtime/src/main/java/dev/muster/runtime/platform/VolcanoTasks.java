package dev.muster.runtime.platform;

import dev.muster.runtime.config.Environment;
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

    private final Environment environment;

    VolcanoTasks(Environment environment) {
        this.environment = environment;
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
        return hosts;
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
