package dev.muster.engine.tensorflow;

import dev.muster.spi.Launch;
import dev.muster.spi.PlanException;
import dev.muster.spi.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The arguments that ModelArts gives to the boot file of a TensorFlow job, after the user's own arguments. */
final class Arguments {

    private static final String JOB_NAME = "job_name";
    private static final String TASK_INDEX = "task_index";
    private static final String PS_HOSTS = "ps_hosts";
    private static final String WORKER_HOSTS = "worker_hosts";

    /** TensorFlow's flags accept one dash and two dashes. */
    private static final Pattern ARGUMENT = Pattern.compile(
            "--?(" + JOB_NAME + "|" + TASK_INDEX + "|" + PS_HOSTS + "|" + WORKER_HOSTS + ")(?:=.*)?", Pattern.DOTALL);

    private Arguments() {}

    /** Refuses a command that has one of the arguments already: the script decides which of the two it would use. */
    static void refuseIn(List<String> command) throws PlanException {
        for (String argument : command) {
            Matcher matcher = ARGUMENT.matcher(argument);
            if (matcher.matches()) {
                throw new PlanException(
                        PlanException.Kind.USAGE,
                        "the command has the argument " + Messages.quote(argument) + ", and Muster appends --"
                                + matcher.group(1) + " itself. Leave it out, or give -o " + Options.TF_CONFIG + "="
                                + Strategy.PS_ENV.word() + ", then nothing is appended");
            }
        }
    }

    /** The command of one process. */
    static List<Value> appended(List<String> command, Cluster cluster, Member member) {
        List<Value> arguments = new ArrayList<>(Launch.literally(command));
        arguments.add(Value.of("--" + JOB_NAME));
        arguments.add(Value.of(member.role().word()));
        arguments.add(Value.of("--" + TASK_INDEX));
        arguments.add(Value.of(member.index()));
        arguments.add(Value.of("--" + PS_HOSTS));
        arguments.add(cluster.ps().listed());
        arguments.add(Value.of("--" + WORKER_HOSTS));
        arguments.add(cluster.workers().listed());
        return arguments;
    }
}
