package dev.muster.engine.mpi;

import dev.muster.spi.JobSpec;
import dev.muster.spi.OptionValue;
import dev.muster.spi.PlanException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The containers of the Volcano task that this one is of, as Volcano's svc plugin lists them. Without the env plugin nobody
 * tells a container its index; the number at the end of its host name is it then.
 *
 * @param names in index order
 * @param variable which lists them
 * @param index where a variable says it
 * @param hostName of this machine
 */
record VolcanoTask(List<String> names, String variable, Optional<OptionValue> index, String hostName) {

    private static final Pattern LIST = Pattern.compile("VC_[A-Z0-9_]+_HOSTS");
    private static final String WORKERS = "VC_WORKER_HOSTS";
    private static final Pattern NUMBER_AT_END = Pattern.compile(".*-([0-9]{1,6})");

    /** Empty where no variable lists any host. */
    static Optional<VolcanoTask> of(JobSpec job, String hostName) {
        Optional<OptionValue> index = job.variable("VC_TASK_INDEX").or(() -> job.variable("VK_TASK_INDEX"));
        List<VolcanoTask> tasks = new ArrayList<>();
        lists(job).forEach((variable, names) -> tasks.add(new VolcanoTask(names, variable, index, hostName)));
        return tasks.stream()
                .filter(VolcanoTask::hasThisHost)
                .findFirst()
                .or(() -> tasks.stream()
                        .filter(task -> task.variable.equals(WORKERS))
                        .findFirst())
                .or(() -> tasks.stream().findFirst());
    }

    /** The hosts of all of the job's tasks, by the variable that lists them. */
    static SortedMap<String, List<String>> lists(JobSpec job) {
        SortedMap<String, List<String>> lists = new TreeMap<>();
        job.environment().forEach((name, value) -> {
            if (LIST.matcher(name).matches() && !value.isBlank()) {
                lists.put(name, List.of(value.strip().split("\\s*,\\s*", -1)));
            }
        });
        return lists;
    }

    Seat seat(OptionalInt given, int port) throws PlanException {
        List<MpiHost> hosts =
                names.stream().map(name -> new MpiHost(name, name, port)).toList();
        if (hosts.size() == 1) {
            return new Seat(hosts, 0);
        }
        int number = given.isPresent() ? given.getAsInt() : number();
        if (number >= hosts.size()) {
            throw Refusal.configuration("this node has index " + number + ", but " + variable + " names " + hosts.size()
                    + " hosts: the indices are 0.." + (hosts.size() - 1) + ". Correct one of them");
        }
        return new Seat(hosts, number);
    }

    private int number() throws PlanException {
        if (index.isPresent()) {
            return WholeNumber.of(index.get(), 0, Integer.MAX_VALUE, "the index of a container");
        }
        Matcher end = NUMBER_AT_END.matcher(label(hostName));
        if (end.matches()) {
            return Integer.parseInt(end.group(1));
        }
        throw Refusal.configuration("nobody says which of the " + names.size() + " hosts of " + variable
                + " this node is: VC_TASK_INDEX and VK_TASK_INDEX are not set, and the host name "
                + Messages.quote(hostName) + " does not end in a number. Add Volcano's env plugin to the job, or give"
                + " --node-index I");
    }

    private boolean hasThisHost() {
        return names.stream().anyMatch(name -> label(name).equals(label(hostName)));
    }

    private static String label(String name) {
        int dot = name.indexOf('.');
        return dot < 0 ? name : name.substring(0, dot);
    }
}
