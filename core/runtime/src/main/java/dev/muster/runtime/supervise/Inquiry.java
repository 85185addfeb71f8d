package dev.muster.runtime.supervise;

import dev.muster.runtime.output.LastOutput;
import dev.muster.runtime.report.Cause;
import dev.muster.runtime.report.Evidence;
import dev.muster.runtime.report.Verdict;
import dev.muster.runtime.text.Printable;
import dev.muster.runtime.words.LastWords;
import dev.muster.spi.ProcessSpec;
import java.util.List;
import java.util.function.Function;

/** Finds out what more is known of the process whose failure ended the job. */
final class Inquiry {

    private static final int LONGEST_COMMAND = 160;
    private static final int UNCAUGHT = 1;

    private final PreparedPlan plan;
    private final RunSettings settings;
    private final Function<String, LastOutput> outputs;

    /** @param outputs what a process printed last, by its id */
    Inquiry(PreparedPlan plan, RunSettings settings, Function<String, LastOutput> outputs) {
        this.plan = plan;
        this.settings = settings;
        this.outputs = outputs;
    }

    /** The verdict, with the evidence where a process of this node failed. */
    Verdict into(Verdict verdict) {
        return verdict.cause() instanceof Cause.ProcessFailed failed ? verdict.with(evidence(failed)) : verdict;
    }

    private Evidence evidence(Cause.ProcessFailed failed) {
        ProcessSpec process = failed.process();
        boolean isOfPlan = plan.plan().processes().contains(process);
        boolean isUncaught =
                failed.termination().signal().isEmpty() && failed.termination().exitCode() == UNCAUGHT;
        List<String> words = LastWords.of(outputs.apply(process.id()).text(), settings::masked, isUncaught);
        return new Evidence(settings.node(), isOfPlan ? command(process) : "", words, "");
    }

    private String command(ProcessSpec process) {
        List<String> words = settings.secrets().show(plan.command(process));
        String line = Printable.escape(settings.masked(String.join(" ", words)));
        if (line.length() <= LONGEST_COMMAND) {
            return line;
        }
        int end = Character.isHighSurrogate(line.charAt(LONGEST_COMMAND - 1)) ? LONGEST_COMMAND - 1 : LONGEST_COMMAND;
        return line.substring(0, end) + "...";
    }
}
