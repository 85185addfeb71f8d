package dev.muster.runtime.platform;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What only Slurm's controller knows, asked with scontrol. No answer in time is no knowledge. */
final class SlurmControl {

    private static final List<String> CONFIG = List.of("scontrol", "show", "config");

    /** As users would type it. */
    static final String CONFIG_COMMAND = String.join(" ", CONFIG);

    /** {@code KillWait = 30 sec}. */
    private static final Pattern KILL_WAIT = Pattern.compile("(?m)^KillWait\\s*=\\s*([0-9]{1,9}) sec");

    private SlurmControl() {}

    /** How long Slurm waits between the SIGTERM and the SIGKILL with which it ends a job. */
    static Optional<Duration> killWait(EvidenceReader evidence) {
        Matcher line = KILL_WAIT.matcher(evidence.facts().output(CONFIG));
        return line.find() ? Optional.of(Duration.ofSeconds(Long.parseLong(line.group(1)))) : Optional.empty();
    }
}
