package dev.muster.runtime.platform;

import dev.muster.runtime.config.OptionTable;
import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.Host;
import dev.muster.spi.OptionValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a container stands in a Volcano job, as far as the job's plugins tell: svc lists the hosts of all tasks, env the index of a
 * container in its task. Other platforms that have their jobs scheduled by Volcano tell the same.
 */
final class VolcanoJob {

    private static final String PS = "ps";
    private static final String EVALUATOR = "evaluator";

    /** What tasks are called whose containers have roles of TensorFlow; other tasks together are one job. */
    private static final Set<String> ROLES = Set.of(PS, "worker", "chief", "master", EVALUATOR);

    /** What tasks are called whose first container leads the job. */
    private static final List<String> LEADERS = List.of("master", "launcher", "chief", "head", "leader");

    private static final Pattern NUMBER_AT_END = Pattern.compile("(.*)-([0-9]{1,6})");
    private static final Pattern IPV4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");
    private static final String OVERRIDE = "Give --hosts A,B,... and --node-index I";

    private final Evidence evidence;
    private final VolcanoTasks tasks;

    VolcanoJob(Evidence evidence) {
        this.evidence = evidence;
        this.tasks = new VolcanoTasks(evidence);
    }

    /** Adds which nodes there are, and which one this is. */
    PlatformFacts.Builder place(PlatformFacts.Builder facts) {
        return facts.refusal(this::refusal)
                .nodes(this::nodes)
                .index(this::index)
                .hosts(this::hosts);
    }

    /** By what such a job is recognised. */
    Optional<String> sign() {
        List<String> seen = new ArrayList<>(
                VolcanoTasks.INDICES.stream().filter(evidence::isSet).toList());
        seen.addAll(tasks.lists());
        boolean isByFiles = !seen.isEmpty() && seen.get(0).startsWith("/");
        return seen.isEmpty()
                ? Optional.empty()
                : Optional.of((isByFiles ? "there are: " : "set: ") + String.join(", ", seen));
    }

    /** Hosts are called {@code JOB-TASK-I.JOB}. */
    Optional<OptionValue> id() {
        for (Map.Entry<String, List<Host>> task : tasks.hosts().entrySet()) {
            Optional<String> job = jobOf(task.getKey(), task.getValue().get(0).name());
            if (job.isPresent()) {
                return Optional.of(new OptionValue(job.get(), tasks.origin(task.getKey())));
            }
        }
        return Optional.empty();
    }

    /** The domain of a host; where it has none, what stands before its task and index. */
    private static Optional<String> jobOf(String task, String host) {
        int dot = host.indexOf('.');
        if (dot > 0 && dot < host.length() - 1 && !IPV4.matcher(host).matches()) {
            return Optional.of(NumberedName.label(host.substring(dot + 1)));
        }
        Matcher name = NUMBER_AT_END.matcher(host);
        String end = "-" + task;
        boolean isOfTask = dot < 0 && name.matches() && name.group(1).endsWith(end);
        return isOfTask
                ? Optional.of(name.group(1).substring(0, name.group(1).length() - end.length()))
                        .filter(job -> !job.isEmpty())
                : Optional.empty();
    }

    /** Why its containers cannot be put in an order that all of them come to. */
    Optional<String> refusal() {
        SortedMap<String, List<Host>> all = tasks.hosts();
        if (isOfRoles(all)) {
            boolean isForEngine = evidence.engine().isEmpty() || evidence.engineKnowsRole(PS);
            return isForEngine
                    ? Optional.empty()
                    : Optional.of("the job has the tasks " + String.join(", ", all.keySet())
                            + ", roles of TensorFlow that"
                            + " " + evidence.engineName()
                            + " does not know. Use --engine tensorflow-ps, or say which containers train together: give"
                            + " --hosts A,B,... and --node-index I");
        }
        return all.size() < 2 || order(all).isPresent()
                ? Optional.empty()
                : Optional.of("the job has the tasks " + String.join(", ", all.keySet())
                        + ", and nobody says which of their containers train together. " + OVERRIDE);
    }

    /** All containers of the job's tasks. */
    Optional<OptionValue> nodes() {
        SortedMap<String, List<Host>> all = tasks.hosts();
        if (all.isEmpty()) {
            return Optional.empty();
        }
        tasks.checkCounts();
        int count = all.values().stream().mapToInt(List::size).sum();
        String origin = String.join(" and ", tasks.lists());
        if (count > OptionTable.MOST_NODES) {
            throw MusterException.configuration(
                    origin + " name " + count + " hosts, and a job has " + OptionTable.MOST_NODES + " nodes at most");
        }
        refuseTwins(all, origin);
        return Optional.of(new OptionValue(Integer.toString(count), origin));
    }

    private static void refuseTwins(SortedMap<String, List<Host>> all, String origin) {
        Set<String> names = new HashSet<>();
        for (List<Host> ofTask : all.values()) {
            for (Host host : ofTask) {
                if (!names.add(host.name())) {
                    throw MusterException.configuration(origin + ": " + Printable.quote(host.name())
                            + " is there twice, and every container has a host of its own. " + OVERRIDE);
                }
            }
        }
    }

    /** Among all nodes; where tasks are roles, among those of this node's. */
    Optional<OptionValue> index() {
        SortedMap<String, List<Host>> all = tasks.hosts();
        Optional<String> variable = evidence.firstSet(VolcanoTasks.INDICES);
        if (all.isEmpty()) {
            return variable.flatMap(evidence::index);
        }
        Optional<String> own = ownTask(all);
        if (own.isEmpty() && isOfRoles(all) && evidence.isSet(TfCluster.VARIABLE)) {
            return Optional.empty();
        }
        String task = own.orElseThrow(
                () -> MusterException.configuration("the job has the tasks " + String.join(", ", all.keySet())
                        + ", and none lists this host, " + Printable.quote(ownLabel()) + ". " + OVERRIDE));
        OptionValue index = indexInTask(task, all.getOrDefault(task, List.of()));
        int first = first(task, all);
        String origin = first == 0 ? index.origin() : index.origin() + " of task " + task;
        return Optional.of(new OptionValue(Integer.toString(first + Integer.parseInt(index.value())), origin));
    }

    Optional<String> role() {
        return ownTask(tasks.hosts());
    }

    List<Host> hosts() {
        SortedMap<String, List<Host>> all = tasks.hosts();
        List<Host> hosts = new ArrayList<>();
        for (String task :
                isOfRoles(all) ? ownTask(all).stream().toList() : order(all).orElse(List.of())) {
            hosts.addAll(all.getOrDefault(task, List.of()));
        }
        return hosts;
    }

    Map<String, List<Host>> hostsByRole() {
        SortedMap<String, List<Host>> all = tasks.hosts();
        return isOfRoles(all) ? all : Map.of();
    }

    private boolean isOfRoles(SortedMap<String, List<Host>> all) {
        boolean isMeant = all.containsKey(PS)
                || all.containsKey(EVALUATOR)
                || (evidence.isSet(TfCluster.VARIABLE) && evidence.engineKnowsRole(PS));
        return isMeant && ROLES.containsAll(all.keySet());
    }

    /** The tasks whose containers are the nodes of this job, in node order: a leading one first. */
    private Optional<List<String>> order(SortedMap<String, List<Host>> all) {
        if (all.size() < 2) {
            return Optional.of(List.copyOf(all.keySet()));
        }
        List<String> leaders =
                all.keySet().stream().filter(task -> holdsMaster(all, task)).toList();
        if (leaders.isEmpty()) {
            leaders = all.keySet().stream().filter(VolcanoJob::leads).toList();
        }
        if (leaders.size() != 1 || all.size() != 2) {
            return Optional.empty();
        }
        List<String> order = new ArrayList<>(leaders);
        all.keySet().stream().filter(task -> !order.contains(task)).forEach(order::add);
        return Optional.of(order);
    }

    /** The pytorch plugin may be told any names of tasks. */
    private boolean holdsMaster(SortedMap<String, List<Host>> all, String task) {
        Optional<String> master = evidence.value(TorchMaster.ADDRESS);
        return master.isPresent()
                && all.getOrDefault(task, List.of()).get(0).name().equals(master.get());
    }

    private static boolean leads(String task) {
        return LEADERS.stream().anyMatch(task::endsWith);
    }

    /** The index of a task's first container among the nodes. */
    private int first(String task, SortedMap<String, List<Host>> all) {
        int first = 0;
        if (isOfRoles(all)) {
            return first;
        }
        List<String> order = order(all)
                .orElseThrow(() ->
                        MusterException.configuration(String.valueOf(refusal().orElse(OVERRIDE))));
        for (String other : order) {
            if (other.equals(task)) {
                return first;
            }
            first += all.getOrDefault(other, List.of()).size();
        }
        return first;
    }

    /** The task that lists this container. On the host's network it has the host's name, which none lists. */
    private Optional<String> ownTask(SortedMap<String, List<Host>> all) {
        for (Map.Entry<String, List<Host>> task : all.entrySet()) {
            if (position(task.getValue()) >= 0) {
                return Optional.of(task.getKey());
            }
        }
        return all.size() == 1 ? Optional.of(all.firstKey()) : Optional.empty();
    }

    private int position(List<Host> hosts) {
        String own = ownLabel();
        for (int i = 0; i < hosts.size(); i++) {
            if (NumberedName.label(hosts.get(i).name()).equals(own)) {
                return i;
            }
        }
        return -1;
    }

    private OptionValue indexInTask(String task, List<Host> hosts) {
        Optional<String> variable = evidence.firstSet(VolcanoTasks.INDICES);
        String list = tasks.origin(task);
        OptionValue index = variable.flatMap(evidence::index).orElseGet(() -> ofHostName(task, hosts, list));
        if (Integer.parseInt(index.value()) >= hosts.size()) {
            throw MusterException.configuration(index.origin() + " says that this node has index " + index.value()
                    + ", but " + list + " names " + hosts.size() + " hosts: the indices are 0.." + (hosts.size() - 1)
                    + ". Correct one of them");
        }
        refuseAnother(index, hosts, list);
        return index;
    }

    /** Whoever has a container's name is that one. On the host's network it has the host's, which says nothing. */
    private void refuseAnother(OptionValue index, List<Host> hosts, String list) {
        String told =
                NumberedName.label(hosts.get(Integer.parseInt(index.value())).name());
        Optional<NumberedName> own = NumberedName.of(ownLabel());
        boolean isOfTask = own.isPresent()
                && NumberedName.of(told)
                        .filter(there -> there.stem().equals(own.get().stem()))
                        .isPresent();
        if (isOfTask && !told.equals(ownLabel())) {
            throw MusterException.configuration(index.origin() + " says that this node has index " + index.value()
                    + ", which is " + Printable.quote(told) + " by " + list + ", but it is called "
                    + Printable.quote(ownLabel()) + ": nobody knows which of them it is. Correct one of them, or "
                    + "give --hosts A,B,... and --node-index I");
        }
    }

    private OptionValue ofHostName(String task, List<Host> hosts, String list) {
        if (hosts.size() == 1) {
            return new OptionValue("0", list);
        }
        // A host's own name may end in a number too, which says nothing of the job.
        Matcher end = NUMBER_AT_END.matcher(ownLabel());
        boolean isOfTask =
                end.matches() && (end.group(1).equals(task) || end.group(1).endsWith("-" + task));
        int position = position(hosts);
        if (position >= 0 || isOfTask) {
            return new OptionValue(
                    Integer.toString(position >= 0 ? position : Integer.parseInt(end.group(2))), Kubernetes.HOST_NAME);
        }
        throw MusterException.configuration("nobody says which of the " + hosts.size() + " hosts of " + list
                + " this node is: " + String.join(" and ", VolcanoTasks.INDICES) + " are not set, and the host name "
                + Printable.quote(evidence.machine().hostName())
                + " is none of them. Add Volcano's env plugin to the job, or give --node-index I");
    }

    private String ownLabel() {
        return NumberedName.label(evidence.machine().hostName());
    }
}
