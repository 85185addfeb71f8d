package dev.muster.runtime.platform;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.config.Setting;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.Host;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlatformContract;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A container of a Volcano job whose svc plugin lists the hosts of its tasks. Without the env plugin nobody tells a container its
 * index; the number at the end of its host name is it then.
 */
final class Volcano implements Platform {

    private static final String NAME = "volcano";

    static final KnownPlatform KNOWN =
            new KnownPlatform(NAME, "Volcano jobs", List.of("VC_*", "VK_TASK_*", "MPI_HOST"), Volcano::new);

    private static final PlatformContract CONTRACT = PlatformContract.named(NAME)
            .localVariables(VolcanoTasks.INDICES)
            .advice(new PlatformContract.Advice(VolcanoTasks.INDICES, Optional.empty(), Optional.empty()))
            .build();

    /** Roles of TensorFlow, which have containers of their own; other tasks together are one job. */
    private static final String PS = "ps";

    /** What tasks are called whose first container leads the job. */
    private static final List<String> LEADERS = List.of("master", "launcher", "chief", "head", "leader");

    private static final Pattern NUMBER_AT_END = Pattern.compile("(.*)-([0-9]{1,6})");

    private final Evidence evidence;
    private final VolcanoTasks tasks;

    private Volcano(Evidence evidence) {
        this.evidence = evidence;
        this.tasks = new VolcanoTasks(evidence.environment());
    }

    @Override
    public PlatformContract contract() {
        return CONTRACT;
    }

    @Override
    public Optional<String> sign() {
        List<String> seen = new ArrayList<>();
        evidence.environment().variables().forEach((name, value) -> {
            boolean isOurs = VolcanoTasks.INDICES.contains(name)
                    || VolcanoTasks.task(name, VolcanoTasks.HOSTS).isPresent();
            if (isOurs && !value.isBlank()) {
                seen.add(name);
            }
        });
        return seen.isEmpty() ? Optional.empty() : Optional.of("set: " + String.join(", ", seen));
    }

    /** Hosts are called {@code JOB-TASK-I.JOB}. */
    @Override
    public Optional<OptionValue> jobId() {
        for (Map.Entry<String, List<Host>> task : tasks.hosts().entrySet()) {
            String first = task.getValue().get(0).name();
            int dot = first.indexOf('.');
            if (dot > 0) {
                String variable = VolcanoTasks.variable(task.getKey(), VolcanoTasks.HOSTS);
                String domain = first.substring(dot + 1);
                int end = domain.indexOf('.');
                return Optional.of(new OptionValue(end < 0 ? domain : domain.substring(0, end), variable));
            }
        }
        return Optional.empty();
    }

    @Override
    public Optional<Setting> nodes() {
        List<Host> hosts = hosts();
        return hosts.isEmpty()
                ? Optional.empty()
                : Optional.of(Setting.ofPlatform(OptionTable.NODES, Integer.toString(hosts.size()), listVariable()));
    }

    @Override
    public Optional<Setting> nodeIndex() {
        List<Host> hosts = hosts();
        if (hosts.isEmpty()) {
            return Optional.empty();
        }
        OptionValue index = indexInTask();
        int position = first(ownTask().orElseThrow()) + Integer.parseInt(index.value());
        return Optional.of(Setting.ofPlatform(OptionTable.NODE_INDEX, Integer.toString(position), index.origin()));
    }

    @Override
    public Optional<String> role() {
        return ownTask();
    }

    @Override
    public List<Host> hosts() {
        SortedMap<String, List<Host>> all = tasks.hosts();
        List<Host> hosts = new ArrayList<>();
        for (String task : order(all)) {
            hosts.addAll(all.getOrDefault(task, List.of()));
        }
        return hosts;
    }

    @Override
    public Map<String, List<Host>> hostsByRole() {
        return hasRoles(tasks.hosts()) ? tasks.hosts() : Map.of();
    }

    /** The tasks whose containers are the nodes of this node's job, in node order. */
    private List<String> order(SortedMap<String, List<Host>> all) {
        if (all.size() < 2) {
            return List.copyOf(all.keySet());
        }
        if (hasRoles(all)) {
            return List.of(ownTask().orElseThrow());
        }
        List<String> leaders = all.keySet().stream().filter(Volcano::leads).toList();
        if (leaders.size() != 1 || all.size() != 2) {
            throw MusterException.configuration(
                    "the job has the tasks " + String.join(", ", all.keySet())
                            + ", and nobody says which of their containers train together. Give --hosts A,B,... and --node-index I");
        }
        List<String> order = new ArrayList<>(leaders);
        all.keySet().stream().filter(task -> !leads(task)).forEach(order::add);
        return order;
    }

    private boolean hasRoles(SortedMap<String, List<Host>> all) {
        return evidence.engineKnowsRole(PS) && all.keySet().stream().allMatch(evidence::engineKnowsRole);
    }

    private static boolean leads(String task) {
        return LEADERS.stream().anyMatch(task::endsWith);
    }

    /** The index of a task's first container among the nodes. */
    private int first(String task) {
        SortedMap<String, List<Host>> all = tasks.hosts();
        int first = 0;
        for (String other : order(all)) {
            if (other.equals(task)) {
                return first;
            }
            first += all.getOrDefault(other, List.of()).size();
        }
        return first;
    }

    /** The task that lists this container. */
    private Optional<String> ownTask() {
        SortedMap<String, List<Host>> all = tasks.hosts();
        String own = label(evidence.machine().hostName());
        for (Map.Entry<String, List<Host>> task : all.entrySet()) {
            if (task.getValue().stream().anyMatch(host -> label(host.name()).equals(own))) {
                return Optional.of(task.getKey());
            }
        }
        if (all.size() > 1) {
            throw MusterException.configuration(
                    "the job has the tasks " + String.join(", ", all.keySet()) + ", and none lists this host, "
                            + Printable.quote(own) + ". Give --hosts A,B,... and --node-index I");
        }
        return all.isEmpty() ? Optional.empty() : Optional.of(all.firstKey());
    }

    private OptionValue indexInTask() {
        Optional<String> variable = evidence.firstSet(VolcanoTasks.INDICES);
        String task = ownTask().orElseThrow();
        int size = tasks.hosts().getOrDefault(task, List.of()).size();
        String list = VolcanoTasks.variable(task, VolcanoTasks.HOSTS);
        OptionValue index = variable.isPresent()
                ? new OptionValue(
                        Variables.number(evidence.environment(), variable.get(), 0, OptionTable.MOST_NODES - 1),
                        variable.get())
                : ofHostName(list, size);
        if (Integer.parseInt(index.value()) >= size) {
            throw MusterException.configuration(index.origin() + " says that this node has index " + index.value()
                    + ", but " + list + " names " + size + " hosts: the indices are 0.." + (size - 1)
                    + ". Correct one of them");
        }
        return index;
    }

    private OptionValue ofHostName(String list, int size) {
        Matcher end = NUMBER_AT_END.matcher(label(evidence.machine().hostName()));
        if (size == 1) {
            return new OptionValue("0", list);
        }
        if (end.matches()) {
            return new OptionValue(Integer.toString(Integer.parseInt(end.group(2))), "host name");
        }
        throw MusterException.configuration("nobody says which of the " + size + " hosts of " + list
                + " this node is: " + String.join(" and ", VolcanoTasks.INDICES) + " are not set, and the host name "
                + Printable.quote(evidence.machine().hostName())
                + " does not end in a number. Add Volcano's env plugin to the job, or give --node-index I");
    }

    private String listVariable() {
        return VolcanoTasks.variable(ownTask().orElseThrow(), VolcanoTasks.HOSTS);
    }

    private static String label(String name) {
        int dot = name.indexOf('.');
        return dot < 0 ? name : name.substring(0, dot);
    }
}
