package dev.muster.engine.tensorflow;

import dev.muster.spi.Launch;
import dev.muster.spi.PlanException;
import dev.muster.spi.Value;
import java.util.ArrayList;
import java.util.List;

/** The arguments that ModelArts gives to the boot file of a TensorFlow job, appended after the user's own. */
final class Arguments {

    private static final String JOB_NAME = "job_name";
    private static final String TASK_INDEX = "task_index";
    private static final String PS_HOSTS = "ps_hosts";
    private static final String WORKER_HOSTS = "worker_hosts";
    private static final List<String> NAMES = List.of(JOB_NAME, TASK_INDEX, PS_HOSTS, WORKER_HOSTS);

    private Arguments() {}

    /** Refuses a command that has one of the arguments already: which of the two would count depends on the script. */
    static void refuseIn(List<String> command) throws PlanException {
        for (String argument : command) {
            String name = nameOf(argument);
            if (NAMES.contains(name)) {
                throw new PlanException(
                        PlanException.Kind.USAGE,
                        "the command has the argument " + Messages.quote(argument) + ", and Muster appends --" + name
                                + " itself. Leave it out, or give -o " + Options.INJECT
                                + "=false, then nothing is appended");
            }
        }
    }

    /** The command of one process. The contract knows no chief: that is worker 0, and the others are counted after it. */
    static List<Value> appended(List<String> command, Cluster cluster, Member member) {
        boolean isAfterChief = cluster.chief().isPresent() && member.role() == Role.WORKER;
        Role role = member.role().isChief() ? Role.WORKER : member.role();
        List<Value> arguments = new ArrayList<>(Launch.literally(command));
        add(arguments, JOB_NAME, Value.of(role.word()));
        add(arguments, TASK_INDEX, Value.of(isAfterChief ? member.index() + 1 : member.index()));
        add(arguments, PS_HOSTS, cluster.ps().listed());
        add(arguments, WORKER_HOSTS, workers(cluster));
        return arguments;
    }

    private static Value workers(Cluster cluster) {
        if (cluster.chief().isEmpty()) {
            return cluster.workers().listed();
        }
        List<Endpoint> all = new ArrayList<>(cluster.list(cluster.chief().get()).endpoints());
        all.addAll(cluster.workers().endpoints());
        return AddressList.listed(all);
    }

    private static void add(List<Value> arguments, String name, Value value) {
        arguments.add(Value.of("--" + name));
        arguments.add(value);
    }

    /** TensorFlow's own flags take one dash as well as two. */
    private static String nameOf(String argument) {
        int dashes = argument.startsWith("--") ? 2 : argument.startsWith("-") ? 1 : 0;
        int end = argument.indexOf('=');
        return dashes == 0 ? "" : argument.substring(dashes, end < dashes ? argument.length() : end);
    }
}
