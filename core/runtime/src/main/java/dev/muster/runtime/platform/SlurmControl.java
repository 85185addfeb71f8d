package dev.muster.runtime.platform;

import dev.muster.spi.Input;
import dev.muster.spi.InputValue;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What only Slurm's controller knows, asked with scontrol. No answer in time is no knowledge. */
final class SlurmControl {

    private static final String PROGRAM = "scontrol";
    private static final List<String> CONFIG = List.of(PROGRAM, "show", "config");

    /** As users would type it. */
    static final String CONFIG_COMMAND = String.join(" ", CONFIG);

    private static final Duration DEADLINE = Duration.ofSeconds(2);

    /** {@code KillWait = 30 sec}. */
    private static final Pattern KILL_WAIT = Pattern.compile("(?m)^KillWait\\s*=\\s*([0-9]{1,9}) sec");

    /** What a job has on some of its nodes, for example {@code Nodes=n[1-2] CPU_IDs=7 Mem=0 GRES=gpu:2(IDX:0-1)}. */
    private static final Pattern SHARE = Pattern.compile("\\bNodes=(\\S+) CPU_IDs=\\S* Mem=\\S* GRES=(\\S*)");

    /** {@code gpu:2(IDX:0-1)} or, with its type, {@code gpu:a100:2(IDX:0-1)}. */
    private static final Pattern GPUS = Pattern.compile("(?:^|,)gpu(?::[^:,()]+)?:([0-9]{1,6})\\(");

    private final Commands commands;

    SlurmControl(Commands commands) {
        this.commands = commands;
    }

    /** How long Slurm waits between the SIGTERM and the SIGKILL with which it ends a job. */
    Optional<Duration> killWait() {
        Matcher line = KILL_WAIT.matcher(ask(CONFIG));
        return line.find() ? Optional.of(Duration.ofSeconds(Long.parseLong(line.group(1)))) : Optional.empty();
    }

    /**
     * That nodes of a step have different numbers of GPUs, with what to write instead.
     *
     * @param own this node's name
     * @param ownGpus how many the step has here: where the job has another number, the step has not all of the job's, and what
     *     it has elsewhere is not known
     */
    Optional<String> differentGpus(String job, List<String> nodes, String own, int ownGpus) {
        List<String> command = List.of(PROGRAM, "--details", "--oneliner", "show", "job", job);
        Map<String, Integer> gpus = gpus(ask(command));
        for (String node : nodes) {
            int there = gpus.getOrDefault(node, ownGpus);
            if (gpus.getOrDefault(own, -1) == ownGpus && there != ownGpus) {
                return Optional.of(
                        "this node has " + counted(ownGpus) + " in the job (SLURM_GPUS_ON_NODE), " + node + " has "
                                + there + " (" + String.join(" ", command)
                                + "), and all nodes must have the same number. Ask for --gpus-per-node=N instead of --gpus, or"
                                + " give --cards N, which all have");
            }
        }
        return Optional.empty();
    }

    private static String counted(int gpus) {
        return gpus + " GPU" + (gpus == 1 ? "" : "s");
    }

    private static Map<String, Integer> gpus(String answer) {
        Map<String, Integer> gpus = new HashMap<>();
        Matcher share = SHARE.matcher(answer);
        while (share.find()) {
            int count = 0;
            Matcher kind = GPUS.matcher(share.group(2));
            while (kind.find()) {
                count += Integer.parseInt(kind.group(1));
            }
            for (String node : names(share.group(1))) {
                gpus.put(node, count);
            }
        }
        return gpus;
    }

    private static List<String> names(String list) {
        try {
            return Hostlist.parse(list);
        } catch (Hostlist.Invalid unknown) {
            return List.of(); // of these nodes nothing is known
        }
    }

    private String ask(List<String> command) {
        InputValue.CommandOutput answer =
                commands.ask(new Input.CommandOutput(String.join(" ", command), command, DEADLINE));
        return answer.exitCode() == 0 ? answer.output() : "";
    }
}
