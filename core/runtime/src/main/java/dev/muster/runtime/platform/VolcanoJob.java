package dev.muster.runtime.platform;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.Host;
import dev.muster.spi.OptionValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A container's place in a Volcano job, as far as the job's plugins tell it: svc lists the hosts of all tasks, env gives the index of a
 * container in its task. Other platforms that use Volcano as their scheduler tell the same.
 */
abstract class VolcanoJob extends PlatformReader {

    /** Names of tasks that are roles of TensorFlow. Tasks with other names are one job together. */
    private static final Set<String> ROLES = Set.of(PS, WORKER, "chief", "master", EVALUATOR);

    /** Names of tasks whose first container leads the job. */
    private static final List<String> LEADERS = List.of("master", "launcher", "chief", "head", "leader");

    private static final Pattern NUMBER_AT_END = Pattern.compile("(.*)-([0-9]{1,6})");
    private static final Pattern IPV4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");
    private static final String OVERRIDE = "Give --hosts A,B,... and --node-index I";

    private final VolcanoTasks tasks;

    VolcanoJob(EvidenceReader evidence) {
        super(evidence);
        this.tasks = new VolcanoTasks(evidence);
    }

    @Override
    void readAll() {
        option(OptionTable.JOB_ID, this::jobId);
        role(this::role);
        hostsByRole(this::hostsByRole);
        linkKey(() -> SshPlugin.key(evidence));
        if (isByVolcano()) {
            refusal(this::refusal);
            option(OptionTable.NODES, this::nodes);
            option(OptionTable.NODE_INDEX, this::index);
            hosts(this::hosts);
        }
    }

    /** Whether Volcano tells which the nodes are. */
    boolean isByVolcano() {
        return true;
    }

    /** The sign of such a job. */
    static Optional<String> sign(EvidenceReader evidence) {
        List<String> seen = new ArrayList<>(
                VolcanoTasks.INDICES.stream().filter(evidence::isSet).toList());
        seen.addAll(new VolcanoTasks(evidence).lists());
        boolean isByFiles = !seen.isEmpty() && seen.get(0).startsWith("/");
        return seen.isEmpty()
                ? Optional.empty()
                : Optional.of((isByFiles ? "there are: " : "set: ") + String.join(", ", seen));
    }

    /** Hosts are called {@code JOB-TASK-I.JOB}. */
    Optional<OptionValue> jobId() {
        return tasks.hosts().entrySet().stream()
                .flatMap(task -> jobOf(task.getKey(), task.getValue().get(0).name())
                        .map(job -> new OptionValue(job, tasks.origin(task.getKey())))
                        .stream())
                .findFirst();
    }

    /** The domain of a host. Without a domain: the part of the name before task and index. */
    private static Optional<String> jobOf(String task, String host) {
        int dot = host.indexOf('.');
        if (dot > 0 && dot < host.length() - 1 && !IPV4.matcher(host).matches()) {
            return Optional.of(NumberedName.label(host.substring(dot + 1)));
        }
        return dot < 0 ? NumberedName.of(host).flatMap(name -> name.before(task)) : Optional.empty();
    }

    /** Why the containers cannot find an order that is the same for all of them. */
    private Optional<String> refusal() {
        String names = "the job has the tasks " + String.join(", ", taskNames());
        if (!isOfRoles()) {
            return order().isPresent()
                    ? Optional.empty()
                    : Optional.of(names + ", and nobody says which of their containers train together. " + OVERRIDE);
        }
        if (evidence.engineKnowsRole(PS) && !Set.of(PS, WORKER).containsAll(taskNames())) {
            return Optional.of(
                    names + ", and only a TF_CONFIG tells of a chief or an evaluator. Add Volcano's plugin tensorflow");
        }
        return evidence.source().engine().isEmpty() || evidence.engineKnowsRole(PS)
                ? Optional.empty()
                : Optional.of(names + unknownRoles(evidence));
    }

    static String unknownRoles(EvidenceReader evidence) {
        return ", roles of TensorFlow that " + evidence.engineName()
                + " does not know. Use --engine tensorflow-ps, or say which containers train together: give"
                + " --hosts A,B,... and --node-index I";
    }

    /** The number of containers of all tasks, without tasks that only help. */
    private Optional<OptionValue> nodes() {
        List<String> counted = countedByRank().orElse(taskNames());
        int count = containers(counted).size();
        String origin = counted.stream().map(tasks::origin).collect(Collectors.joining(" and "));
        return count == 0 ? Optional.empty() : Optional.of(EvidenceReader.sourced(count, origin));
    }

    /** The index among all nodes; if tasks are roles, among the nodes of this role. */
    private Optional<OptionValue> index() {
        if (taskNames().isEmpty()) {
            return evidence.firstSet(VolcanoTasks.INDICES).flatMap(evidence::index);
        }
        String task = role().orElseThrow(() ->
                MusterException.configuration("the job has the tasks " + String.join(", ", taskNames())
                        + ", and none lists this host, " + Printable.quote(evidence.ownLabel()) + ". " + OVERRIDE));
        OptionValue index = indexInTask(task, containers(List.of(task)));
        int first = isOfRoles() ? 0 : firstIndex(task);
        String origin = first == 0 ? index.origin() : index.origin() + " of task " + task;
        return Optional.of(EvidenceReader.sourced(first + Integer.parseInt(index.value()), origin));
    }

    /** The task that lists this container. On the host's network the container has the host's name, and no task lists it. */
    private Optional<String> role() {
        List<String> names = taskNames();
        return names.stream()
                .filter(task -> names.size() == 1 || evidence.position(containers(List.of(task))) >= 0)
                .findFirst();
    }

    private List<Host> hosts() {
        return containers(isOfRoles() ? role().stream().toList() : order().orElse(List.of()));
    }

    private Map<String, List<Host>> hostsByRole() {
        return isOfRoles() ? tasks.hosts() : Map.of();
    }

    private boolean isOfRoles() {
        List<String> names = taskNames();
        return (names.contains(PS) || names.contains(EVALUATOR)) && ROLES.containsAll(names);
    }

    private List<String> taskNames() {
        return List.copyOf(tasks.hosts().keySet());
    }

    /** The containers of these tasks. */
    private List<Host> containers(List<String> wanted) {
        SortedMap<String, List<Host>> all = tasks.hosts();
        return wanted.stream()
                .flatMap(task -> all.getOrDefault(task, List.of()).stream())
                .toList();
    }

    /** The tasks whose containers are the nodes of this job, in node order: a leading one first. */
    private Optional<List<String>> order() {
        List<String> names = taskNames();
        return names.size() < 2 ? Optional.of(names) : countedByRank().or(() -> leaderFirst(names));
    }

    /** The order of two tasks of which one leads. */
    private Optional<List<String>> leaderFirst(List<String> names) {
        // The pytorch plugin accepts any task names, so MASTER_ADDR is checked first.
        Optional<String> master = evidence.value(TorchJob.MASTER_ADDR);
        List<String> leaders = names.stream()
                .filter(task -> master.equals(
                        Optional.of(containers(List.of(task)).get(0).name())))
                .toList();
        if (leaders.isEmpty()) {
            leaders = names.stream()
                    .filter(task -> LEADERS.stream().anyMatch(task::endsWith))
                    .toList();
        }
        if (leaders.size() != 1 || names.size() != 2) {
            return Optional.empty();
        }
        boolean isFirst = leaders.contains(names.get(0));
        return Optional.of(isFirst ? names : List.of(names.get(1), names.get(0)));
    }

    /** The tasks that RANK and WORLD_SIZE count, in node order: one, or a leading one and another. Other tasks help them. */
    private Optional<List<String>> countedByRank() {
        if (!evidence.isSet(TorchJob.RANK) || !evidence.isSet(TorchJob.WORLD_SIZE) || evidence.isOfARank()) {
            return Optional.empty();
        }
        List<List<String>> fitting = taskNames().stream()
                .flatMap(first -> taskNames().stream()
                        .map(second -> first.equals(second) ? List.of(first) : List.of(first, second)))
                .filter(this::isCounted)
                .toList();
        return fitting.stream()
                .filter(names -> fitting.size() == 1 || names.contains(WORKER))
                .findFirst();
    }

    private boolean isCounted(List<String> names) {
        List<Host> hosts = containers(names);
        Optional<String> master = evidence.value(TorchJob.MASTER_ADDR);
        boolean isLed = containers(taskNames()).stream().noneMatch(host -> master.equals(Optional.of(host.name())))
                || master.equals(Optional.of(hosts.get(0).name()));
        return isLed
                && evidence.value(TorchJob.WORLD_SIZE).equals(Optional.of(Integer.toString(hosts.size())))
                && evidence.value(TorchJob.RANK).equals(Optional.of(Integer.toString(evidence.position(hosts))));
    }

    /** The index of a task's first container among the nodes. */
    private int firstIndex(String task) {
        List<String> order = order().orElseThrow(() ->
                MusterException.configuration(String.valueOf(refusal().orElse(OVERRIDE))));
        return containers(order.subList(0, order.indexOf(task))).size();
    }

    private OptionValue indexInTask(String task, List<Host> hosts) {
        String list = tasks.origin(task);
        OptionValue index = evidence.firstSet(VolcanoTasks.INDICES)
                .flatMap(evidence::index)
                .orElseGet(() -> ofHostName(task, hosts, list));
        if (Integer.parseInt(index.value()) >= hosts.size()) {
            throw MusterException.configuration(index.origin() + " says that this node has index " + index.value()
                    + ", but " + list + " names " + hosts.size() + " hosts: the indices are 0.." + (hosts.size() - 1)
                    + ". Correct one of them");
        }
        return index;
    }

    private OptionValue ofHostName(String task, List<Host> hosts, String list) {
        if (hosts.size() == 1) {
            return new OptionValue("0", list);
        }
        int position = evidence.position(hosts);
        if (position >= 0) {
            return EvidenceReader.sourced(position, Kubernetes.HOST_NAME);
        }
        // A host's own name may end in a number too, which says nothing of the job.
        Matcher end = NUMBER_AT_END.matcher(evidence.ownLabel());
        if (end.matches() && (end.group(1).equals(task) || end.group(1).endsWith("-" + task))) {
            return EvidenceReader.sourced(Integer.parseInt(end.group(2)), Kubernetes.HOST_NAME);
        }
        throw MusterException.configuration("nobody says which of the " + hosts.size() + " hosts of " + list
                + " this node is: " + String.join(" and ", VolcanoTasks.INDICES) + " are not set, and the host name "
                + Printable.quote(evidence.hostName())
                + " is none of them. Add Volcano's env plugin to the job, or give --node-index I");
    }
}
