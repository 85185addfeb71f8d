package dev.muster.runtime.launch;

import dev.muster.runtime.errors.MusterException;
import dev.muster.runtime.files.IoReasons;
import dev.muster.runtime.files.Trust;
import dev.muster.runtime.process.RunMarker;
import dev.muster.runtime.text.Printable;
import dev.muster.spi.JobSpec;
import dev.muster.spi.LaunchPlan;
import dev.muster.spi.LauncherNodes;
import dev.muster.spi.OptionValue;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Looks at the key by which the nodes of a job let each other in: whoever has put it there, or can, could come in himself. */
final class KeyCheck {

    /** Another launcher has started this one: it simulates the job, in directories that it has made. */
    private static final String SIMULATED = RunMarker.VARIABLE;

    private final JobSpec job;
    private final boolean isSimulated;
    private final Consumer<String> warn;

    /** @param environment of the launcher */
    KeyCheck(JobSpec job, Map<String, String> environment, Consumer<String> warn) {
        this.job = job;
        this.isSimulated = environment.containsKey(SIMULATED);
        this.warn = warn;
    }

    /** @throws MusterException somebody else has a hand in it */
    void require(LaunchPlan plan) {
        plan.launchers().flatMap(LauncherNodes::keyFile).map(Path::of).ifPresent(this::require);
    }

    private void require(Path key) {
        String name = "the job's key " + Printable.escape(key.toString()) + origin(key);
        try {
            Trust.Judgement judgement = isSimulated ? Trust.ofKeyAlone(key) : Trust.ofKey(key);
            if (judgement.refusal().isPresent()) {
                Trust.Flaw flaw = judgement.refusal().get();
                throw MusterException.configuration(
                        name + " is not used: " + flaw.sentence() + ". Use: " + flaw.remedy());
            }
            judgement.warnings().forEach(flaw -> warn.accept(name + ": " + flaw.sentence()));
        } catch (NoSuchFileException notYet) {
            // Whoever reads it tells that it is not there.
        } catch (IOException unreadable) {
            throw MusterException.configuration(name + " cannot be looked at: " + IoReasons.of(unreadable));
        }
    }

    /** Who named the file. */
    private String origin(Path key) {
        Optional<OptionValue> named = job.options().values().stream()
                .filter(option -> key.equals(Path.of(option.value())))
                .findFirst();
        return named.map(option -> " (" + option.origin() + ")").orElse("");
    }
}
